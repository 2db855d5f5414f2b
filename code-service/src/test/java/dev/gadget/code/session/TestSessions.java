package dev.gadget.code.session;

import dev.gadget.code.account.TestPeople;
import dev.gadget.model.SessionId;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** What a person needs before a first prompt, made as a page makes it. */
public final class TestSessions {
    private TestSessions() {}

    public static String project(TestPeople.Person owner) {
        return owner.request()
                .body(Map.of("name", "shop-" + UUID.randomUUID()))
                .post("/api/v1/projects")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
    }

    public static String provider(TestPeople.Person owner, Map<String, Object> more) {
        Map<String, Object> body = new HashMap<>(
                Map.of("name", "demo-" + UUID.randomUUID(), "type", "openai", "baseUrl", "http://127.0.0.1:9/v1"));
        body.putAll(more);
        return owner.request()
                .body(body)
                .post("/api/v1/providers")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
    }

    public static String provider(TestPeople.Person owner) {
        return provider(owner, Map.of("defaultModel", "scripted"));
    }

    public static SessionId session(TestPeople.Person owner) {
        String id = owner.request()
                .body(Map.of("projectId", project(owner), "providerId", provider(owner)))
                .post("/api/v1/sessions")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
        return new SessionId(id);
    }
}
