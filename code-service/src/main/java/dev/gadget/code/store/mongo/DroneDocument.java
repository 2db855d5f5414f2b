package dev.gadget.code.store.mongo;

import dev.gadget.code.drone.Drone;
import dev.gadget.model.DroneId;
import dev.gadget.model.SessionId;
import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import io.quarkus.mongodb.panache.common.MongoEntity;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An enrolled drone as it is stored. */
@MongoEntity(collection = "drones")
public class DroneDocument extends OwnedDocument {
    public String name = "";
    public String credentialId = "";
    public String workspaceId = "";
    public String workspaceDir = "";
    public String hostname = "";
    public @Nullable String platform;
    public @Nullable String droneVersion;
    public @Nullable Instant lastSeenAt;
    public List<OwedDocument> owed = List.of();
    public List<String> stopping = List.of();

    static DroneDocument from(Drone drone) {
        var document = new DroneDocument();
        document.identify(drone.id().value(), drone.createdAt(), drone.version());
        document.ownerId = drone.ownerId().value();
        document.name = drone.name();
        document.credentialId = drone.credentialId();
        document.workspaceId = drone.workspaceId().value();
        document.workspaceDir = drone.workspaceDir();
        document.hostname = drone.hostname();
        document.platform = drone.platform();
        document.droneVersion = drone.droneVersion();
        document.lastSeenAt = drone.lastSeenAt();
        document.owed = drone.owed().stream().map(OwedDocument::from).toList();
        document.stopping = drone.stopping().stream().map(SessionId::value).toList();
        return document;
    }

    Drone toDrone() {
        return new Drone(
                new DroneId(id),
                new UserId(ownerId),
                name,
                credentialId,
                new WorkspaceId(workspaceId),
                workspaceDir,
                hostname,
                platform,
                droneVersion,
                lastSeenAt,
                owed.stream().map(OwedDocument::toForgetSession).toList(),
                stopping.stream().map(SessionId::new).toList(),
                createdAt,
                version);
    }
}
