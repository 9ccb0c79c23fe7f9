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
import java.util.List;
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

    /** The packages from top to bottom, as docs/en/architecture.md lists them. A package may use those below its line, and the root. */
    private static final List<List<String>> LAYERS = List.of(
            List.of("engine"),
            List.of("engine.admin"),
            List.of("engine.maintenance"),
            List.of("engine.listener"),
            List.of("engine.node", "engine.guard", "engine.interceptor", "engine.enqueue"),
            List.of("engine.loop"),
            List.of("config"),
            List.of("telemetry"),
            List.of("store"),
            List.of("admin", "codec", "resilience"));

    static Stream<Arguments> rules() {
        return Stream.of(
                Arguments.of(mayNotSee("io.acidq", "io.acidq.*.."), "GuiltyRoot"),
                Arguments.of(mayOnlySeeLowerLayers("engine"), "GuiltyEngine"),
                Arguments.of(mayOnlySeeLowerLayers("engine.admin"), "GuiltyEngineAdmin"),
                Arguments.of(mayOnlySeeLowerLayers("engine.maintenance"), "GuiltyMaintenance"),
                Arguments.of(mayOnlySeeLowerLayers("engine.listener"), "GuiltyListener"),
                Arguments.of(mayOnlySeeLowerLayers("engine.node"), "GuiltyNode"),
                Arguments.of(mayOnlySeeLowerLayers("engine.guard"), "GuiltyGuard"),
                Arguments.of(mayOnlySeeLowerLayers("engine.interceptor"), "GuiltyInterceptor"),
                Arguments.of(mayOnlySeeLowerLayers("engine.enqueue"), "GuiltyEnqueue"),
                Arguments.of(mayOnlySeeLowerLayers("engine.loop"), "GuiltyLoop"),
                Arguments.of(mayOnlySeeLowerLayers("config"), "GuiltyConfig"),
                Arguments.of(mayOnlySeeLowerLayers("telemetry"), "GuiltyTelemetry"),
                Arguments.of(mayOnlySeeLowerLayers("store"), "GuiltyStore"),
                Arguments.of(mayOnlySeeLowerLayers("admin"), "GuiltyAdmin"),
                Arguments.of(mayOnlySeeLowerLayers("codec"), "GuiltyCodec"),
                Arguments.of(mayOnlySeeLowerLayers("resilience"), "GuiltyLeak"),
                Arguments.of(doctorMayOnlySee("config", "store"), "GuiltyDoctor"),
                Arguments.of(classes().should().resideInAnyPackage(allPackages()), "guilty.one.One"),
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

    /** May not see the packages above its layer, the others of its layer, and {@code doctor}. */
    private static ArchRule mayOnlySeeLowerLayers(String name) {
        int own = 0;
        while (!LAYERS.get(own).contains(name)) {
            own++;
        }
        Stream<String> refused =
                LAYERS.subList(0, own + 1).stream().flatMap(List::stream).filter(other -> !other.equals(name));
        return mayNotSee("io.acidq." + name, packages(Stream.concat(refused, Stream.of("doctor"))));
    }

    private static ArchRule doctorMayOnlySee(String... names) {
        return mayNotSee(
                "io.acidq.doctor",
                packages(LAYERS.stream()
                        .flatMap(List::stream)
                        .filter(name -> !List.of(names).contains(name))));
    }

    private static String[] allPackages() {
        return Stream.concat(
                        Stream.of("io.acidq", "io.acidq.doctor"),
                        Stream.of(packages(LAYERS.stream().flatMap(List::stream))))
                .toArray(String[]::new);
    }

    private static String[] packages(Stream<String> names) {
        return names.map(name -> "io.acidq." + name).toArray(String[]::new);
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
