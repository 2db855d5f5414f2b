package dev.gadget.code.store;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The contract on a real MongoDB. */
@QuarkusTest
@TestProfile(RealMongo.class)
@EnabledIfEnvironmentVariable(
        named = RealMongo.URL,
        matches = "mongodb.*",
        disabledReason = "set GADGET_TEST_MONGODB_URL to run the store contract on a real MongoDB")
class MongoAccountArchiveTest extends AccountArchiveContract {}
