package dev.gadget.drone.policy;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gadget.drone.network.AllowedHosts;
import dev.gadget.drone.workspace.PrivateFile;
import dev.gadget.model.ApprovalPolicy;
import dev.gadget.model.ApprovalRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the owner of this machine allows, from {@code .gadget/policy.json}: nothing that a session or the code service says
 * loosens it. No tool can write that file, and a command in the sandbox does not see it.
 *
 * @param approvals the loosest policy that holds here; absent for any
 * @param rules as those of a session
 * @param approvalMinutes how long a call waits for a person, 8 hours when absent
 * @param fetchHosts hosts inside this machine's own network that pages may be fetched from, with a port where it is not the usual one
 * @param networkHosts hosts that commands in the sandbox reach by HTTP; those inside the machine's own network have to be among
 *     {@code fetchHosts}, too
 * @param cloneFromFiles whether projects may be cloned from {@code file://} addresses, not when absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LocalPolicy(
        @Nullable ApprovalPolicy approvals,
        @Nullable List<ApprovalRule> rules,
        @Nullable Integer approvalMinutes,
        @Nullable List<String> fetchHosts,
        @Nullable Boolean cloneFromFiles,
        @Nullable List<String> networkHosts) {
    private static final int USUAL_MINUTES = 480;
    private static final int MOST_MINUTES = 7 * 24 * 60;

    /** Whatever the session says. */
    public static final LocalPolicy NONE = new LocalPolicy(null, List.of(), null, List.of(), null, List.of());

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    public LocalPolicy {
        rules = rules == null ? List.of() : List.copyOf(rules);
        fetchHosts = fetchHosts == null ? List.of() : List.copyOf(fetchHosts);
        networkHosts = new AllowedHosts(networkHosts == null ? List.of() : networkHosts).entries();
        if (approvalMinutes != null && (approvalMinutes < 1 || approvalMinutes > MOST_MINUTES)) {
            throw new IllegalArgumentException(
                    "approvalMinutes has to be 1 to " + MOST_MINUTES + ", but is " + approvalMinutes);
        }
    }

    /** How long a call waits for a person before it is not run. */
    public Duration patience() {
        return Duration.ofMinutes(Objects.requireNonNullElse(approvalMinutes, USUAL_MINUTES));
    }

    /** The policy of a workspace; {@code IllegalArgumentException} when there is one that cannot be read, which must not pass for none. */
    public static LocalPolicy of(Path workspace) {
        Path file = workspace.resolve(".gadget/policy.json");
        try {
            LocalPolicy read = JSON.readValue(Files.readString(file, StandardCharsets.UTF_8), LocalPolicy.class);
            return read == null ? NONE : read;
        } catch (NoSuchFileException e) {
            return NONE;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    ".gadget/policy.json cannot be read as a policy: " + e.getOriginalMessage()
                            + ". It holds {\"approvals\": \"ask\", \"rules\": [{\"action\": \"deny\", \"command\": \"git push *\"}]}.");
        } catch (IOException e) {
            throw new IllegalArgumentException(".gadget/policy.json cannot be read: " + e.getMessage());
        }
    }

    /**
     * Writes which hosts commands reach, and leaves what else the owner wrote as it is; {@code IllegalArgumentException} when that
     * would be no policy.
     */
    public static void writeNetworkHosts(Path workspace, List<String> hosts) throws IOException {
        Path folder = workspace.resolve(".gadget");
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(
                    workspace + " is no workspace of a drone: it has no .gadget. Name another with"
                            + " --workspace, or enrol a drone there first (gadget-drone enroll).");
        }
        of(workspace);
        Path file = folder.resolve("policy.json");
        // Where the owner keeps it elsewhere it stays a link.
        Path real = Files.exists(file) ? file.toRealPath() : file;
        ObjectNode policy = Files.exists(file) && JSON.readTree(Files.readString(file)) instanceof ObjectNode read
                ? read
                : JSON.createObjectNode();
        ArrayNode list = policy.putArray("networkHosts");
        new AllowedHosts(hosts).entries().forEach(list::add);
        byte[] text = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(policy);
        PrivateFile.write(real, text);
    }

    @Override
    public List<ApprovalRule> rules() {
        return rules == null ? List.of() : rules;
    }

    @Override
    public List<String> fetchHosts() {
        return fetchHosts == null ? List.of() : fetchHosts;
    }

    @Override
    public List<String> networkHosts() {
        return networkHosts == null ? List.of() : networkHosts;
    }

    /** Whether projects may come from this machine's own files. */
    public boolean clonesFromFiles() {
        return Boolean.TRUE.equals(cloneFromFiles);
    }

    /** In one line for the owner. */
    public String report() {
        if (approvals == null && rules().isEmpty() && networkHosts().isEmpty()) {
            return "This machine adds no rules of its own (.gadget/policy.json).";
        }
        return "Of this machine's .gadget/policy.json: "
                + (approvals == null
                        ? ""
                        : "nothing looser than '" + approvals.name().toLowerCase(Locale.ROOT) + "', ")
                + rules().size() + " rules"
                + (networkHosts().isEmpty()
                        ? "."
                        : ", and commands may reach " + String.join(", ", networkHosts()) + ".");
    }
}
