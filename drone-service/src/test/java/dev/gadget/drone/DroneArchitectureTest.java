package dev.gadget.drone;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The arrows of the drone: what does the work knows nothing of the link, and nothing listens. */
@AnalyzeClasses(packages = "dev.gadget.drone", importOptions = ImportOption.DoNotIncludeTests.class)
class DroneArchitectureTest {
    @ArchTest
    static final ArchRule whatDoesTheWorkKnowsNoLink = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.gadget.drone.provider..",
                    "dev.gadget.drone.tool..",
                    "dev.gadget.drone.mcp..",
                    "dev.gadget.drone.policy..",
                    "dev.gadget.drone.network..",
                    "dev.gadget.drone.workspace..",
                    "dev.gadget.drone.file..",
                    "dev.gadget.drone.agent..",
                    "dev.gadget.drone.terminal..",
                    "dev.gadget.drone.exam..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.gadget.drone.link..", "dev.gadget.drone.cli..");

    @ArchTest
    static final ArchRule providersKnowNoToolsAndNoAgent = noClasses()
            .that()
            .resideInAPackage("dev.gadget.drone.provider..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.gadget.drone.tool..", "dev.gadget.drone.agent..", "dev.gadget.drone.policy..");

    @ArchTest
    static final ArchRule toolsKnowNoAgent = noClasses()
            .that()
            .resideInAPackage("dev.gadget.drone.tool..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.gadget.drone.agent..", "dev.gadget.drone.mcp..");

    @ArchTest
    static final ArchRule foreignToolsAreKnownByNobody = noClasses()
            .that()
            .resideOutsideOfPackages("dev.gadget.drone.mcp..", "dev.gadget.drone.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.gadget.drone.mcp..");

    @ArchTest
    static final ArchRule nothingListens = noClasses()
            .that()
            // A socket in a folder of the user's own, and a port inside a sandbox that has no other network.
            .doNotHaveFullyQualifiedName("dev.gadget.drone.network.HostProxy")
            .and()
            .doNotHaveFullyQualifiedName("dev.gadget.drone.network.Forwarder")
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.net\\.(ServerSocket|DatagramSocket)|javax\\.net\\.ServerSocketFactory"
                    + "|java\\.nio\\.channels\\.(Asynchronous)?ServerSocketChannel"
                    + "|com\\.sun\\.net\\.httpserver\\..*|io\\.vertx\\..*|io\\.netty\\..*");

    @Test
    @DisplayName("The drone has no HTTP server on board")
    void hasNoServerOnBoard() {
        for (String server : new String[] {
            "io.quarkus.vertx.http.runtime.VertxHttpRecorder", "io.vertx.core.http.HttpServer", "io.undertow.Undertow"
        }) {
            assertThat(DroneArchitectureTest.class.getClassLoader().getResource(server.replace('.', '/') + ".class"))
                    .as(server)
                    .isNull();
        }
    }
}
