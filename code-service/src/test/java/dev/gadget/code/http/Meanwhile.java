package dev.gadget.code.http;

import io.restassured.config.HttpClientConfig;
import io.restassured.config.RestAssuredConfig;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Asks the service while the test goes on, on a thread of its own: the common pool of a small machine has one for all who wait, and that
 * may have begun under another application of the tests, whose classes it finds.
 */
public final class Meanwhile {
    /** Of a client that waits longer than those of the tests do by themselves. */
    public static final RestAssuredConfig PATIENT = RestAssuredConfig.config()
            .httpClient(HttpClientConfig.httpClientConfig()
                    .setParam("http.socket.timeout", (int) TimeUnit.SECONDS.toMillis(150)));

    private Meanwhile() {}

    public static <T> CompletableFuture<T> ask(Supplier<T> question) {
        return new CompletableFuture<T>()
                .completeAsync(question, task -> Thread.ofPlatform().daemon().start(task));
    }
}
