package dev.gadget.code.setup;

import dev.gadget.code.RefusedException;
import dev.gadget.code.account.Account;
import dev.gadget.code.account.Accounts;
import dev.gadget.code.config.CodeConfig;
import dev.gadget.code.drone.DroneEnrolment;
import dev.gadget.code.project.Projects;
import dev.gadget.code.provider.Provider;
import dev.gadget.code.provider.Providers;
import dev.gadget.code.store.Slice;
import dev.gadget.model.UserId;
import dev.gadget.model.api.ProjectApi.CreateProject;
import dev.gadget.model.api.ProviderApi.CreateProvider;
import dev.gadget.model.api.ProviderApi.UpdateProvider;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/** Makes the provider, the project and the enrolment code of the settings, for the administrator of the settings. */
@ApplicationScoped
public class Setup {
    private static final Logger LOG = Logger.getLogger(Setup.class);
    private static final int AFTER_THE_ADMINISTRATOR = 300;
    private static final int PAGE = 200;
    private static final Duration CODE_LIFETIME = Duration.ofHours(1);

    private final CodeConfig config;
    private final Accounts accounts;
    private final Providers providers;
    private final Projects projects;
    private final DroneEnrolment enrolment;

    Setup(CodeConfig config, Accounts accounts, Providers providers, Projects projects, DroneEnrolment enrolment) {
        this.config = config;
        this.accounts = accounts;
        this.providers = providers;
        this.projects = projects;
        this.enrolment = enrolment;
    }

    void onStart(@Observes @Priority(AFTER_THE_ADMINISTRATOR) StartupEvent started) {
        CodeConfig.Setup wanted = config.setup();
        Optional<String> baseUrl = wanted.provider().baseUrl();
        if (baseUrl.isEmpty()
                && wanted.project().name().isEmpty()
                && wanted.enrolmentCodeFile().isEmpty()) {
            return;
        }
        Optional<UserId> owner = accounts.byEmail(config.admin().email()).map(Account::id);
        if (owner.isEmpty()) {
            LOG.warnf(
                    "Nothing of gadget.setup is made: there is no account %s (gadget.admin.email).",
                    config.admin().email());
            return;
        }
        baseUrl.ifPresent(url -> warned("provider", () -> provider(owner.get(), wanted.provider(), url)));
        wanted.project().name().ifPresent(name -> warned("project", () -> project(owner.get(), name)));
        wanted.enrolmentCodeFile().ifPresent(file -> code(owner.get(), file));
    }

    /** All else works without it. */
    private static void warned(String what, Runnable make) {
        try {
            make.run();
        } catch (RefusedException refused) {
            LOG.warnf("The %s of the settings (gadget.setup) is not made: %s", what, refused.getMessage());
        }
    }

    /** Finds it by its name; what the settings say of its address, key and model goes before what was set in the page. */
    void provider(UserId owner, CodeConfig.SetupProvider wanted, String baseUrl) {
        Optional<Provider> found = find(
                after -> providers.list(owner, after, PAGE), one -> one.name().equals(wanted.name()));
        if (found.isEmpty()) {
            providers.create(
                    owner,
                    new CreateProvider(
                            wanted.name(),
                            wanted.type(),
                            baseUrl,
                            wanted.apiKey().orElse(null),
                            wanted.model().orElse(null),
                            null,
                            null));
            LOG.infof("The provider '%s' of the settings is made.", wanted.name());
            return;
        }
        if (found.get().type() != wanted.type()) {
            LOG.warnf(
                    "The provider '%s' has another type than gadget.setup.provider.type says; it stays as it is. Give the other one another name.",
                    wanted.name());
            return;
        }
        if (providers.differs(found.get(), baseUrl, wanted.apiKey(), wanted.model())) {
            change(owner, found.get(), wanted, baseUrl);
        }
    }

    private void change(UserId owner, Provider found, CodeConfig.SetupProvider wanted, String baseUrl) {
        var update = new UpdateProvider(
                null, baseUrl, wanted.apiKey().orElse(null), wanted.model().orElse(null), null, null);
        try {
            providers.update(owner, found.id(), update);
            LOG.infof("The provider '%s' is changed to what the settings say.", wanted.name());
        } catch (RefusedException refused) {
            LOG.warnf(
                    "The provider '%s' stays as it is, other than the settings say: %s",
                    wanted.name(), refused.getMessage());
        }
    }

    void project(UserId owner, String name) {
        if (find(after -> projects.list(owner, after, PAGE), one -> one.name().equals(name.strip()))
                .isEmpty()) {
            projects.create(owner, new CreateProject(name, null, null));
            LOG.infof("The project '%s' of the settings is made.", name);
        }
    }

    /** Written beside and moved into place, so that whoever waits for it never reads half of it. */
    void code(UserId owner, Path file) {
        Path target = file.toAbsolutePath();
        Path fresh = target.resolveSibling(target.getFileName() + ".new");
        try {
            Files.deleteIfExists(fresh);
            Files.createFile(fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(fresh, enrolment.newCode(owner, CODE_LIFETIME).code() + "\n", StandardOpenOption.WRITE);
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot write the enrolment code to " + target + " (gadget.setup.enrolment-code-file)", e);
        }
    }

    private static <T> Optional<T> find(Function<Optional<String>, Slice<T>> pages, Predicate<T> wanted) {
        Optional<String> after = Optional.empty();
        do {
            Slice<T> slice = pages.apply(after);
            Optional<T> found = slice.items().stream().filter(wanted).findFirst();
            if (found.isPresent()) {
                return found;
            }
            after = slice.next();
        } while (after.isPresent());
        return Optional.empty();
    }
}
