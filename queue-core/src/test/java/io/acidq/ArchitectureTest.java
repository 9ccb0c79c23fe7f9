package io.acidq;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The directions of dependencies. Each rule holds for the main code, and fails for a fixture that breaks it. */
class ArchitectureTest {

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.acidq");
    private static final JavaClasses FIXTURES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
            .importPackages("io.acidq");

    static Stream<Arguments> rules() {
        return Stream.of(
                Arguments.of(mayNotSee("io.acidq", "io.acidq.*.."), "GuiltyRoot"),
                Arguments.of(
                        mayNotSee(
                                "io.acidq.admin",
                                above("io.acidq.codec..", "io.acidq.store..", "io.acidq.resilience..")),
                        "GuiltyAdmin"),
                Arguments.of(
                        mayNotSee("io.acidq.engine.loop", engine("node", "guard", "interceptor", "enqueue")),
                        "GuiltyLoop"),
                Arguments.of(
                        mayNotSee("io.acidq.engine.loop", engine("listener", "maintenance", "admin")), "GuiltyLoop"),
                Arguments.of(
                        mayNotSee("io.acidq.engine.node", engine("listener", "maintenance", "admin")), "GuiltyNode"),
                Arguments.of(
                        mayNotSee("io.acidq.engine.guard", engine("listener", "maintenance", "admin")), "GuiltyGuard"),
                Arguments.of(
                        mayNotSee("io.acidq.engine.interceptor", engine("listener", "maintenance", "admin")),
                        "GuiltyInterceptor"),
                Arguments.of(
                        mayNotSee("io.acidq.engine.enqueue", engine("listener", "maintenance", "admin")),
                        "GuiltyEnqueue"),
                Arguments.of(mayNotSee("io.acidq.engine.listener", engine("maintenance", "admin")), "GuiltyListener"),
                Arguments.of(mayNotSee("io.acidq.engine.*", "io.acidq.engine"), "GuiltyListener"),
                Arguments.of(
                        mayNotSee("io.acidq.codec", above("io.acidq.store..", "io.acidq.resilience..")), "GuiltyCodec"),
                Arguments.of(
                        mayNotSee("io.acidq.store", above("io.acidq.codec..", "io.acidq.resilience..")), "GuiltyStore"),
                Arguments.of(
                        mayNotSee("io.acidq.resilience", above("io.acidq.codec..", "io.acidq.store..")), "GuiltyLeak"),
                Arguments.of(onlyIn("io.acidq.store", "java.sql", "javax.sql"), "GuiltyCodec"),
                Arguments.of(onlyIn("io.acidq.resilience", "io.github.resilience4j.."), "GuiltyCodec"),
                Arguments.of(slices().matching("io.acidq.(**)").should().beFreeOfCycles(), "guilty.one.One"),
                Arguments.of(
                        classes()
                                .that()
                                .resideInAPackage("io.acidq.resilience")
                                .and()
                                .arePublic()
                                .and()
                                .doNotHaveSimpleName("Resilience4jGuards") // it adapts the objects of an application
                                .should(leakNoTypeOfResilience4j()),
                        "GuiltyLeak"),
                Arguments.of(askNoWallClock(), "GuiltyCodec"),
                Arguments.of(classes().should(liveInANullMarkedPackage()), "Unmarked"));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void holdsForMainCodeAndFailsForTheFixture(ArchRule rule, String fixture) {
        rule.check(PRODUCT);
        assertThat(rule.allowEmptyShould(true)
                        .evaluate(FIXTURES)
                        .getFailureReport()
                        .getDetails())
                .as("the rule must fail for %s", fixture)
                .anyMatch(detail -> detail.contains(fixture));
    }

    /** The given packages, and those that use all of them. */
    private static String[] above(String... packages) {
        return Stream.concat(
                        Stream.of("io.acidq.config..", "io.acidq.telemetry..", "io.acidq.engine.."),
                        Stream.of(packages))
                .toArray(String[]::new);
    }

    /** Packages of the engine. */
    private static String[] engine(String... names) {
        return Stream.of(names).map(name -> "io.acidq.engine." + name).toArray(String[]::new);
    }

    private static ArchRule mayNotSee(String from, String... packages) {
        return noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages);
    }

    private static ArchRule onlyIn(String from, String... packages) {
        return noClasses()
                .that()
                .resideOutsideOfPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages);
    }

    private static ArchRule askNoWallClock() {
        return noClasses()
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callConstructor(Date.class)
                .orShould()
                .callMethod(Clock.class, "systemUTC");
    }

    private static ArchCondition<JavaClass> leakNoTypeOfResilience4j() {
        return new ArchCondition<>("have no type of Resilience4j in a visible signature") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getCodeUnits().stream()
                        .filter(unit -> !unit.getModifiers().contains(JavaModifier.PRIVATE))
                        .filter(unit -> Stream.concat(
                                        Stream.of(unit.getRawReturnType()), unit.getRawParameterTypes().stream())
                                .anyMatch(t -> t.getPackageName().startsWith("io.github.resilience4j")))
                        .forEach(
                                unit -> events.add(SimpleConditionEvent.violated(unit, unit.getFullName() + " leaks")));
            }
        };
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
