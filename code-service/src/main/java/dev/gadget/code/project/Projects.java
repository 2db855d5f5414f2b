package dev.gadget.code.project;

import dev.gadget.code.RefusedException;
import dev.gadget.code.http.Checks;
import dev.gadget.code.store.ProjectArchive;
import dev.gadget.code.store.SessionArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.code.store.StoreException;
import dev.gadget.model.FailureCode;
import dev.gadget.model.ProjectId;
import dev.gadget.model.UserId;
import dev.gadget.model.api.ProjectApi.CreateProject;
import dev.gadget.model.api.ProjectApi.UpdateProject;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The projects of a person: made, changed, deleted. */
@ApplicationScoped
public class Projects {
    private static final int MAX_NAME = 100;
    private static final int MAX_NUMBER = 99;

    private final ProjectArchive archive;
    private final SessionArchive sessions;

    Projects(ProjectArchive archive, SessionArchive sessions) {
        this.archive = archive;
        this.sessions = sessions;
    }

    public Slice<Project> list(UserId owner, Optional<String> after, int limit) {
        return archive.list(owner, after, limit);
    }

    public Optional<Project> find(UserId owner, ProjectId id) {
        return archive.find(owner, id);
    }

    Project get(UserId owner, ProjectId id) {
        return find(owner, id)
                .orElseThrow(() -> new RefusedException(FailureCode.NOT_FOUND, "There is no project " + id + "."));
    }

    /** The project that a session names; refused when it is gone, because without it nobody knows where the session works. */
    public Project ofSession(UserId owner, ProjectId id) {
        return archive.find(owner, id)
                .orElseThrow(() -> new RefusedException(
                        FailureCode.CONFLICT,
                        "The project of this session was deleted; its files stay where they are."
                                + " Go on in a session of another project."));
    }

    /** Makes one. A slug that was made from the name gets a number when it is taken; one that was asked for is refused. */
    public Project create(UserId owner, CreateProject wanted) {
        String name = Checks.line("name", wanted.name(), MAX_NAME);
        String gitUrl = gitUrl(wanted.gitUrl());
        String asked = wanted.slug();
        if (asked != null) {
            return insert(owner, name, Slugs.checked(asked), gitUrl)
                    .orElseThrow(() -> new RefusedException(
                            FailureCode.CONFLICT, "You have a project of this slug already.", "slug"));
        }
        String slug = Slugs.from(name);
        Optional<Project> made = insert(owner, name, slug, gitUrl);
        for (int number = 2; made.isEmpty() && number <= MAX_NUMBER; number++) {
            made = insert(owner, name, Slugs.numbered(slug, number), gitUrl);
        }
        return made.orElseThrow(
                () -> new RefusedException(FailureCode.CONFLICT, "You have too many projects of this name.", "name"));
    }

    private Optional<Project> insert(UserId owner, String name, String slug, @Nullable String gitUrl) {
        Project project = new Project(
                ProjectId.random(), owner, name, slug, gitUrl, Instant.now().truncatedTo(ChronoUnit.MILLIS), 0);
        try {
            archive.insert(project);
            return Optional.of(project);
        } catch (StoreException e) {
            if (e.code() == FailureCode.CONFLICT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    Project update(UserId owner, ProjectId id, UpdateProject update) {
        Project old = get(owner, id);
        archive.replace(new Project(
                id,
                owner,
                update.name() == null ? old.name() : Checks.line("name", update.name(), MAX_NAME),
                old.slug(),
                update.gitUrl() == null ? old.gitUrl() : gitUrl(update.gitUrl()),
                old.createdAt(),
                old.version()));
        return get(owner, id);
    }

    void delete(UserId owner, ProjectId id) {
        long named = sessions.countOfProject(owner, id);
        if (named > 0) {
            throw new RefusedException(
                    FailureCode.CONFLICT,
                    (named == 1 ? "1 session works" : named + " sessions work")
                            + " on this project, archived ones counted. Delete "
                            + (named == 1 ? "it" : "them") + " first, then the project.");
        }
        if (!archive.delete(owner, id)) {
            throw new RefusedException(FailureCode.NOT_FOUND, "There is no project " + id + ".");
        }
    }

    private static @Nullable String gitUrl(@Nullable String url) {
        return url == null || url.isBlank() ? null : GitUrl.checked(url);
    }
}
