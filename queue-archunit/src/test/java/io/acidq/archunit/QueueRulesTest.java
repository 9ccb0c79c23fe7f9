package io.acidq.archunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.freeze.FreezingArchRule;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule has a file of violations and a file of allowed code. Each nested class is one case. */
class QueueRulesTest {

    private static final Set<String> QUEUES = Set.of("order.placed", "order.paid", "mail", "customer.moved/billing");

    static Stream<Arguments> rules() {
        return Stream.of(
                Arguments.of("publish", QueueRules.publishInTransaction()),
                Arguments.of("remote", QueueRules.noRemoteCallInListeners()),
                Arguments.of("payload", QueueRules.payloadsAreRecordsOrFinal()),
                Arguments.of("own", QueueRules.listenersOpenNoTransaction()),
                Arguments.of("names", QueueRules.queuesAreConfigured(QUEUES)),
                Arguments.of("names", QueueRules.queuesAreConfiguredIn("shop/application.yaml")),
                Arguments.of("names", QueueRules.queuesAreConfiguredIn("shop/application.properties")));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void reportsEveryViolationAndNothingElse(String fixtures, ArchRule rule) throws ClassNotFoundException {
        List<String> found = violations(rule, fixtures);
        List<String> cases = Arrays.stream(
                        Class.forName("com.example." + fixtures + ".Violations").getDeclaredClasses())
                .map(Class::getSimpleName)
                .toList();

        assertThat(cases)
                .isNotEmpty()
                .allSatisfy(testCase -> assertThat(found)
                        .anyMatch(violation -> violation.matches("(?s).*Violations\\$" + testCase + "\\b.*")));
        assertThat(found).noneMatch(violation -> violation.contains("Allowed$"));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void failsWhenNothingWasImported(String fixtures, ArchRule rule) {
        assertThatThrownBy(() -> rule.check(new ClassFileImporter().importPackages("com.example.nothing")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("failed to check any classes");
        rule.allowEmptyShould(true).check(new ClassFileImporter().importPackages("com.example.nothing"));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void reportsThePlaceAndTheFix(String fixtures, ArchRule rule) {
        assertThat(violations(rule, fixtures))
                .allMatch(
                        violation -> violation.matches("(?s).*(@Transactional|external|record|configure the queue).*"));
    }

    @Test
    void forbidsFurtherClients() {
        NoRemoteCall rule = QueueRules.noRemoteCallInListeners();
        String rates = "com.example.remote.Allowed$OwnClient$Rates";

        assertThat(violations(rule.alsoForbidding(rates), "remote"))
                .anyMatch(
                        violation -> violation.contains("Allowed$OwnClient.placed calls Allowed$OwnClient$Rates.ask"));
        assertThat(violations(rule.alsoForbidding(rates).alsoForbidding("com.example.Open"), "remote"))
                .anyMatch(
                        violation -> violation.contains("Allowed$OwnClient.placed calls Allowed$OwnClient$Rates.ask"));
    }

    @Test
    void rejectsTypesThatAreNotOnTheClasspath() {
        assertThatThrownBy(() -> QueueRules.noRemoteCallInListeners().alsoForbidding("com.example.Typo"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("com.example.Typo is not on the classpath")
                .hasMessageContaining("Outer$Inner");
    }

    @Test
    void resolvesPlaceholdersFromTheFileAndSkipsOthers() {
        List<String> found = violations(QueueRules.queuesAreConfiguredIn("shop/application.yaml"), "names");

        assertThat(List.of(
                        "Listens",
                        "ListensByADefaultOfADefault",
                        "ListensByAValueWithADefault",
                        "ListensByANameWithinAName"))
                .allSatisfy(testCase -> assertThat(found)
                        .anyMatch(violation ->
                                violation.contains("Resolved$" + testCase + ".placed names the queue 'mial'")));
        assertThat(found).noneMatch(violation -> violation.contains("ListensForEver"));
        assertThat(violations(QueueRules.queuesAreConfigured(QUEUES), "names"))
                .noneMatch(violation -> violation.contains("Resolved$"));
    }

    @Test
    void rejectsAMissingFile() {
        assertThatThrownBy(() -> QueueRules.queuesAreConfiguredIn("application.yml"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("application.yml is not on the classpath")
                .hasMessageContaining("src/main/resources");
    }

    /** Violations of the first run stay accepted, also if their line numbers change. */
    @Test
    void acceptsFrozenViolationsAndReportsNewOnes(@TempDir Path folder) {
        ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setProperty("freeze.store.default.path", folder.toString());
            configuration.setProperty("freeze.store.default.allowStoreCreation", "true");
            // snippet:freeze
            ArchRule rule = FreezingArchRule.freeze(QueueRules.payloadsAreRecordsOrFinal());
            // /snippet
            rule.check(classes("payload"));
            assertThat(folder).isNotEmptyDirectory();
            rule.check(classes("payload"));

            assertThatThrownBy(() -> rule.check(classes("payload", "fresh")))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("Added$Takes.placed takes a com.example.Open")
                    .hasMessageNotContaining("Violations$");
        });
    }

    private static List<String> violations(ArchRule rule, String fixtures) {
        return rule.evaluate(classes(fixtures)).getFailureReport().getDetails();
    }

    private static JavaClasses classes(String... fixtures) {
        return new ClassFileImporter()
                .importPackages(Arrays.stream(fixtures)
                        .map(fixture -> "com.example." + fixture)
                        .toList());
    }
}
