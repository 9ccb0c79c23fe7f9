package io.acidq.spring;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The directions of dependence: {@code config} sees {@code publish}, {@code listener} and {@code transaction}, which do not see each other; {@code publish} and
 * {@code listener} use {@code expression}, which sees none of them. All of them see the root package, which sees none of them. Each rule holds for the product,
 * and is shown to catch the fixture that breaks it.
 */
class ArchitectureTest {

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.acidq.spring");
    private static final JavaClasses FIXTURES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
            .importPackages("io.acidq.spring");

    private static final String CONFIG = "io.acidq.spring.config";
    private static final String LISTENER = "io.acidq.spring.listener";
    private static final String PUBLISH = "io.acidq.spring.publish";
    private static final String TRANSACTION = "io.acidq.spring.transaction";
    private static final String EXPRESSION = "io.acidq.spring.expression";

    private static final Set<String> API = Set.of(
            "Publish",
            "PublishedTo",
            "RecurringMessage",
            "List", // the containers of these
            "QueueTemplate",
            "QueueName",
            "QueueListener",
            "EnableAcidQ",
            "ListenerCustomizer",
            "GuardFinder",
            "ListenerDefaults",
            "QueueEngine",
            "QueueEngines",
            "EngineCustomizer",
            "QueueErrorHandler",
            "QueueListenerRegistry",
            "WorkerThreads",
            "SpringTransactions");

    /** Public for other packages of the module; their Javadoc says so. */
    private static final Set<String> NOT_API = Set.of(
            "AcidqConfiguration",
            "AcidqImportSelector",
            "AnnotationAttributes",
            "AttributeExpression",
            "DeferredQueue",
            "ExpressionVariables",
            "ListenerFactory",
            "PublishConfiguration");

    static Stream<Arguments> rules() {
        return Stream.of(
                Arguments.of(rootMayNotSee("io.acidq.spring.*.."), "GuiltyRoot"),
                Arguments.of(mayNotSee(PUBLISH, CONFIG, LISTENER, TRANSACTION), "GuiltyPublish"),
                Arguments.of(mayNotSee(LISTENER, CONFIG, PUBLISH, TRANSACTION), "GuiltyListener"),
                Arguments.of(mayNotSee(TRANSACTION, CONFIG, PUBLISH, LISTENER, EXPRESSION), "GuiltyTransaction"),
                Arguments.of(mayNotSee(EXPRESSION, CONFIG, PUBLISH, LISTENER, TRANSACTION), "GuiltyExpression"),
                Arguments.of(slices().matching("io.acidq.spring.(*)..").should().beFreeOfCycles(), "GuiltyListener"),
                Arguments.of(
                        mayNotSee(
                                "io.acidq.spring..",
                                "io.acidq.mybatis..",
                                "org.apache.ibatis..",
                                "org.mybatis..",
                                "org.springframework.boot.."),
                        "GuiltyRoot"),
                Arguments.of(showsOnlyWhatIsNamedHere(), "GuiltyRoot"));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void holdsAndDetectsAViolation(ArchRule rule, String fixture) {
        rule.check(PRODUCT);
        assertThat(rule.evaluate(FIXTURES).getFailureReport().getDetails())
                .as("the rule must catch %s", fixture)
                .anyMatch(detail -> detail.contains(fixture));
    }

    private static ArchRule mayNotSee(String from, String... packages) {
        return noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages);
    }

    /** Except the annotation that imports the configuration. */
    private static ArchRule rootMayNotSee(String... packages) {
        return noClasses()
                .that()
                .resideInAPackage("io.acidq.spring")
                .and(DescribedPredicate.not(equivalentTo(EnableAcidQ.class)))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages);
    }

    private static ArchRule showsOnlyWhatIsNamedHere() {
        return classes()
                .that()
                .resideInAPackage("io.acidq.spring..")
                .and()
                .arePublic()
                .should(com.tngtech.archunit.lang.conditions.ArchConditions.be(DescribedPredicate.<JavaClass>describe(
                        "API, or public only for the packages of this module",
                        type -> API.contains(type.getSimpleName()) || NOT_API.contains(type.getSimpleName()))));
    }
}
