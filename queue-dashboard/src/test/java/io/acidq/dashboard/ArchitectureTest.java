package io.acidq.dashboard;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.acidq.engine.Engine;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The allowed dependencies. Each rule holds for the product and reports the fixture that violates it. */
class ArchitectureTest {

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.acidq.dashboard");
    private static final JavaClasses GUILTY = new ClassFileImporter().importPackages("io.acidq.dashboard.guilty");

    static Stream<ArchRule> rules() {
        return Stream.of(
                noClasses()
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("org.springframework..", "org.apache.ibatis..", "io.acidq.mybatis.."),
                // jackson-databind 3 needs newer annotations than Spring Boot 3.5 has
                noClasses().should().dependOnClassesThat().resideInAPackage("tools.jackson.databind.."),
                // The API reads through the operators' API, whose reads are bounded and whose actions are audited.
                classes()
                        .that()
                        .resideInAPackage("io.acidq.dashboard..api..")
                        .should()
                        .onlyDependOnClassesThat(resideInAnyPackage(
                                        "io.acidq",
                                        "io.acidq.admin..",
                                        "io.acidq.doctor..",
                                        "io.acidq.telemetry..",
                                        "io.acidq.resilience..",
                                        "io.acidq.dashboard.access..",
                                        "io.acidq.dashboard.route..",
                                        "io.acidq.dashboard.read..",
                                        "io.acidq.dashboard..api..",
                                        "org.jspecify..",
                                        "org.slf4j..",
                                        "java..")
                                .or(describe("the engine", type -> type.isEquivalentTo(Engine.class)))
                                .or(simpleName("ClaimStrategy"))),
                noClasses()
                        .that()
                        .resideInAnyPackage(
                                "io.acidq.dashboard..access..",
                                "io.acidq.dashboard..read..",
                                "io.acidq.dashboard..route..",
                                "io.acidq.dashboard..api..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                "io.acidq.dashboard", "io.acidq.dashboard.servlet..", "io.acidq.dashboard.jdk.."),
                noClasses()
                        .that()
                        .resideInAnyPackage("io.acidq.dashboard..access..", "io.acidq.dashboard..read..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("io.acidq.dashboard.route..", "io.acidq.dashboard.api.."),
                noClasses()
                        .that()
                        .resideOutsideOfPackage("io.acidq.dashboard.read..")
                        .should()
                        .dependOnClassesThat(
                                resideInAnyPackage("io.acidq.store..").and(not(simpleName("ClaimStrategy")))),
                // The adapters hold no decision.
                noClasses()
                        .that()
                        .resideInAnyPackage("io.acidq.dashboard..servlet..", "io.acidq.dashboard..jdk..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                "io.acidq.dashboard.access..",
                                "io.acidq.dashboard.read..",
                                "io.acidq.dashboard.route..",
                                "io.acidq.dashboard.api.."),
                noClasses()
                        .that()
                        .resideOutsideOfPackage("io.acidq.dashboard.jdk..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("com.sun.."),
                noClasses()
                        .that()
                        .resideOutsideOfPackage("io.acidq.dashboard.servlet..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("jakarta.."),
                noClasses()
                        .should()
                        .callMethod(System.class, "currentTimeMillis")
                        .orShould()
                        .callMethod(Instant.class, "now"),
                slices().matching("io.acidq.dashboard.(**)").should().beFreeOfCycles(),
                classes().should(liveInANullMarkedPackage()));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void holdsAndCatchesTheGuilty(ArchRule rule) {
        rule.check(PRODUCT);
        assertThat(rule.evaluate(GUILTY).hasViolation())
                .as("the rule must catch the fixture")
                .isTrue();
    }

    private static ArchCondition<JavaClass> liveInANullMarkedPackage() {
        return new ArchCondition<>("live in a @NullMarked package") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean marked = type.getPackage()
                        .tryGetAnnotationOfType(NullMarked.class)
                        .isPresent();
                events.add(new SimpleConditionEvent(type, marked, type.getFullName() + " has no null-marked package"));
            }
        };
    }
}
