package dev.gadget.code.store;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/** Starts the service on the MongoDB that {@code GADGET_TEST_MONGODB_URL} names. */
public class RealMongo implements QuarkusTestProfile {
    static final String URL = "GADGET_TEST_MONGODB_URL";

    @Override
    public Map<String, String> getConfigOverrides() {
        String url = System.getenv(URL);
        return url == null ? Map.of() : Map.of("gadget.store.mongodb-url", url);
    }
}
