package dev.gadget.drone.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gadget.model.OneLine;
import dev.gadget.model.api.DroneApi.EnrolDrone;
import dev.gadget.model.api.DroneApi.EnrolledDrone;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import javax.net.ssl.SSLException;

/** Asks a code service to take a drone. */
final class Enrolment {
    private static final Duration WITHIN = Duration.ofSeconds(60);

    private final ObjectMapper mapper;

    Enrolment(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** The service did not take it; the message is one line for the person. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    EnrolledDrone at(ServerAddress address, EnrolDrone request) throws RefusedException {
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(WITHIN)
                .build()) {
            HttpRequest post = HttpRequest.newBuilder(URI.create(address + "/api/v1/drones/enrol"))
                    .timeout(WITHIN)
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(mapper.writeValueAsBytes(request)))
                    .build();
            return answer(address, client.send(post, HttpResponse.BodyHandlers.ofString()));
        } catch (SSLException e) {
            throw new RefusedException("There is no secure connection to " + address + " (" + e.getMessage()
                    + "). Is its certificate trusted on this machine, and does it speak https?");
        } catch (ConnectException e) {
            throw new RefusedException(
                    "Nothing answers at " + address + ". Is the address right, and does the code service run?");
        } catch (IOException e) {
            // A client that closes on what is no TLS may tell of the closing only.
            throw new RefusedException(address + " does not answer as a Gadget code service: " + e.getMessage()
                    + ". Is the address right, and does it speak "
                    + address.uri().getScheme() + "?");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedException("Interrupted.");
        }
    }

    private EnrolledDrone answer(ServerAddress address, HttpResponse<String> response) throws RefusedException {
        try {
            if (response.statusCode() / 100 == 2) {
                EnrolledDrone enrolled = mapper.readValue(response.body(), EnrolledDrone.class);
                if (enrolled != null && enrolled.droneId() != null && enrolled.credential() != null) {
                    return enrolled;
                }
            }
            JsonNode problem = mapper.readTree(response.body());
            if (problem != null && problem.path("detail").isTextual()) {
                throw new RefusedException(OneLine.of(problem.path("detail").asText()));
            }
        } catch (IOException e) {
            // Told below: whatever it is, it is no answer of a code service.
        }
        throw new RefusedException(address + " answered with status " + response.statusCode()
                + " and not as a Gadget code service. Check the address.");
    }
}
