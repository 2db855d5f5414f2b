package dev.gadget.drone.policy;

import dev.gadget.model.SessionId;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What people allowed for the rest of a session; held by this drone only, and gone when it stops. */
@ApplicationScoped
public class SessionGrants {
    private static final int MAX_SESSIONS = 200;

    private record Grant(String tool, String scope) {}

    private final Map<SessionId, Set<Grant>> grants = new LinkedHashMap<>();

    /** Lets calls of this tool in this scope through from now on. */
    public synchronized void allow(SessionId session, String tool, String scope) {
        grants.computeIfAbsent(session, id -> new HashSet<>()).add(new Grant(tool, scope));
        if (grants.size() > MAX_SESSIONS) {
            grants.remove(grants.keySet().iterator().next());
        }
    }

    public synchronized boolean allowed(SessionId session, String tool, String scope) {
        return grants.getOrDefault(session, Set.of()).contains(new Grant(tool, scope));
    }
}
