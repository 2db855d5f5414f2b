package dev.gadget.code;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaParameter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;

/** The arrows: edge (resource, socket) to logic, logic to port, adapter to port; and the words of the wire stand alone. */
@AnalyzeClasses(packages = "dev.gadget", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule nobodyKnowsAnAdapter = noClasses()
            .that()
            .resideOutsideOfPackage("dev.gadget.code.store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.gadget.code.store.mongo..", "dev.gadget.code.store.embedded..");

    @ArchTest
    static final ArchRule portsKnowNoAdapter = noClasses()
            .that()
            .resideInAPackage("dev.gadget.code.store")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.gadget.code.store.mongo..",
                    "dev.gadget.code.store.embedded..",
                    "com.mongodb..",
                    "org.bson..",
                    "io.quarkus..",
                    "jakarta..");

    @ArchTest
    static final ArchRule onlyTheAdaptersKnowMongo = noClasses()
            .that()
            .resideOutsideOfPackage("dev.gadget.code.store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.mongodb..", "org.bson..", "io.quarkus.mongodb..", "de.bwaldvogel..", "org.h2..");

    @ArchTest
    static final ArchRule onlyTheEmbeddedStoreKnowsItsLibraries = noClasses()
            .that()
            .resideOutsideOfPackage("dev.gadget.code.store.embedded..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("de.bwaldvogel..", "org.h2..");

    @ArchTest
    static final ArchRule nobodyKnowsAnEdge = noClasses()
            .that()
            .haveNameNotMatching(".*(Resource|Socket)(\\$.*)?")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.gadget.code..")
                    .and(simpleNameEndingWith("Resource").or(simpleNameEndingWith("Socket"))));

    /** Without the annotation all of Vert.x and Netty is registered for reflection, and the native executable does not build. */
    @ArchTest
    static final ArchRule whatComesFromVertxIsContext = methods()
            .that()
            .areDeclaredInClassesThat()
            .areAnnotatedWith(Path.class)
            .and()
            .areNotPrivate()
            .should(takeFromVertxOnlyContext());

    private static ArchCondition<JavaMethod> takeFromVertxOnlyContext() {
        return new ArchCondition<>("take what is Vert.x's only as @Context") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                for (JavaParameter parameter : method.getParameters()) {
                    String type = parameter.getRawType().getName();
                    if (type.startsWith("io.vertx.") && !parameter.isAnnotatedWith(Context.class)) {
                        events.add(SimpleConditionEvent.violated(
                                method, method.getFullName() + " takes " + type + " without @Context"));
                    }
                }
            }
        };
    }

    @ArchTest
    static final ArchRule socketsAreForIdesAndDrones = noClasses()
            .that()
            .resideOutsideOfPackages("dev.gadget.code.ide..", "dev.gadget.code.drone..", "dev.gadget.code.socket..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.gadget.code.socket..");

    @ArchTest
    static final ArchRule theTurnItselfIsPure = classes()
            .that()
            .resideInAPackage("dev.gadget.code.turn")
            .and()
            .haveNameMatching(
                    ".*\\.(TurnDocument|Part|ChangeLog|TurnReading|TurnUpdate|TurnRecord|StoredBlock)(\\$.*)?")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", "dev.gadget.model..", "dev.gadget.code.turn..");

    @ArchTest
    static final ArchRule theTurnKnowsNoReader = noClasses()
            .that()
            .resideInAPackage("dev.gadget.code.turn..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.gadget.code.feed..", "dev.gadget.code.ide..", "jakarta.ws.rs..", "io.vertx..");

    @ArchTest
    static final ArchRule theWordsOfTheWireStandAlone = classes()
            .that()
            .resideInAPackage("dev.gadget.model..")
            .should()
            .onlyDependOnClassesThat(not(resideInAPackage("dev.gadget.code.."))
                    .and(resideInAPackage("dev.gadget.model..")
                            .or(resideInAPackage("java.."))
                            .or(resideInAPackage("org.jspecify.."))
                            .or(resideInAPackage("com.fasterxml.jackson.annotation.."))));
}
