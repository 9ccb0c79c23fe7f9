package io.acidq.mybatis;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
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
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The allowed dependencies: the root package composes {@code store} and {@code schema}, which do not see each other; both use {@code session}, which uses
 * {@code transaction}. Each rule holds for the product and reports the fixture that violates it.
 */
class ArchitectureTest {

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.acidq.mybatis");
    private static final JavaClasses GUILTY = new ClassFileImporter()
            .withImportOption(location -> location.contains("uilty"))
            .importPackages("io.acidq.mybatis");

    private static final String ROOT = "io.acidq.mybatis";
    private static final String STORE = "io.acidq.mybatis.store";
    private static final String SCHEMA = "io.acidq.mybatis.schema";
    private static final String SESSION = "io.acidq.mybatis.session";
    private static final String TRANSACTION = "io.acidq.mybatis.transaction";

    static Stream<ArchRule> rules() {
        return Stream.of(
                mayNotSee(STORE, ROOT, SCHEMA),
                mayNotSee(SCHEMA, ROOT, STORE),
                mayNotSee(SESSION, ROOT, STORE, SCHEMA),
                mayNotSee(TRANSACTION, ROOT, STORE, SCHEMA, SESSION),
                noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.."),
                noClasses()
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                "io.acidq.config..",
                                "io.acidq.telemetry..",
                                "io.acidq.engine..",
                                "io.acidq.resilience..")
                        .orShould()
                        .dependOnClassesThat(resideInAPackage("io.acidq.codec..")
                                .and(not(simpleName("Headers")))), // the text of a column
                noClasses()
                        .should()
                        .callMethod(System.class, "currentTimeMillis")
                        .orShould()
                        .callMethod(Instant.class, "now"),
                slices().matching("io.acidq.mybatis.(**)").should().beFreeOfCycles(),
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

    private static ArchRule mayNotSee(String from, String... packages) {
        return noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages);
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
