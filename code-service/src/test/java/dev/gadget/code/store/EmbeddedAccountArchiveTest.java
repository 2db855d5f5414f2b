package dev.gadget.code.store;

import io.quarkus.test.junit.QuarkusTest;

/** The contract on the embedded store. */
@QuarkusTest
class EmbeddedAccountArchiveTest extends AccountArchiveContract {}
