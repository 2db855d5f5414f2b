package dev.gadget.code.store.mongo;

import dev.gadget.code.drone.Drone;
import dev.gadget.code.store.DroneArchive;
import dev.gadget.code.store.Slice;
import dev.gadget.model.DroneId;
import dev.gadget.model.UserId;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Keeps drones in MongoDB. */
@ApplicationScoped
public class MongoDroneArchive implements DroneArchive, StoreIndexes {
    private final OwnedCollection<DroneDocument> drones;

    MongoDroneArchive(DroneRepository repository) {
        this.drones = new OwnedCollection<>("drone", repository.mongoCollection());
    }

    @Override
    public void createIndexes() {
        StoreIndexes.unique(drones.raw(), "ownerId", ListKey.FIELD);
    }

    @Override
    public void insert(Drone drone) {
        drones.insert(DroneDocument.from(drone));
    }

    @Override
    public Optional<Drone> find(UserId owner, DroneId id) {
        return drones.find(owner, id.value()).map(DroneDocument::toDrone);
    }

    @Override
    public Slice<Drone> list(UserId owner, Optional<String> after, int limit) {
        return drones.list(owner, after, limit, DroneDocument::toDrone);
    }

    @Override
    public void replace(Drone drone) {
        drones.replace(DroneDocument.from(drone));
    }

    @Override
    public boolean delete(UserId owner, DroneId id) {
        return drones.delete(owner, id.value());
    }
}
