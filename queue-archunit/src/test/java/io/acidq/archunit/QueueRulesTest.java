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

/** Each rule has a file of guilty and a file of innocent classes; each class in it is one trap. */
class QueueRulesTest {

    private static final Set<String> QUEUES = Set.of("order.placed", "order.paid", "mail");

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
    void catchesEveryGuiltyAndNoInnocent(String fixtures, ArchRule rule) throws ClassNotFoundException {
        List<String> found = violations(rule, fixtures);
        List<String> traps = Arrays.stream(
                        Class.forName("com.example." + fixtures + ".Guilty").getDeclaredClasses())
                .map(Class::getSimpleName)
                .toList();

        assertThat(traps)
                .isNotEmpty()
                .allSatisfy(trap ->
                        assertThat(found).anyMatch(violation -> violation.matches("(?s).*Guilty\\$" + trap + "\\b.*")));
        assertThat(found).noneMatch(violation -> violation.contains("Innocent$"));
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
    void saysWhereItIsAndWhatToDo(String fixtures, ArchRule rule) {
        assertThat(violations(rule, fixtures))
                .allMatch(
                        violation -> violation.matches("(?s).*(@Transactional|external|record|configure the queue).*"));
    }

    @Test
    void forbidsFurtherClientsWhenAsked() {
        NoRemoteCall rule = QueueRules.noRemoteCallInListeners();
        String rates = "com.example.remote.Innocent$OwnClient$Rates";

        assertThat(violations(rule.alsoForbidding(rates), "remote"))
                .anyMatch(violation ->
                        violation.contains("Innocent$OwnClient.placed calls Innocent$OwnClient$Rates.ask"));
        assertThat(violations(rule.alsoForbidding(rates).alsoForbidding("com.example.Open"), "remote"))
                .anyMatch(violation ->
                        violation.contains("Innocent$OwnClient.placed calls Innocent$OwnClient$Rates.ask"));
    }

    @Test
    void refusesFurtherClientsThatAreNotThere() {
        assertThatThrownBy(() -> QueueRules.noRemoteCallInListeners().alsoForbidding("com.example.Typo"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("com.example.Typo is not on the classpath")
                .hasMessageContaining("Outer$Inner");
    }

    @Test
    void resolvesPlaceholdersByTheFileAndPassesOverThemWithoutIt() {
        List<String> found = violations(QueueRules.queuesAreConfiguredIn("shop/application.yaml"), "names");

        assertThat(List.of(
                        "Listens",
                        "ListensByADefaultOfADefault",
                        "ListensByAValueWithADefault",
                        "ListensByANameWithinAName"))
                .allSatisfy(trap -> assertThat(found)
                        .anyMatch(violation ->
                                violation.contains("Resolved$" + trap + ".placed names the queue 'mial'")));
        assertThat(found).noneMatch(violation -> violation.contains("ListensForEver"));
        assertThat(violations(QueueRules.queuesAreConfigured(QUEUES), "names"))
                .noneMatch(violation -> violation.contains("Resolved$"));
    }

    @Test
    void saysThatAFileOfSettingsIsNotThere() {
        assertThatThrownBy(() -> QueueRules.queuesAreConfiguredIn("application.yml"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("application.yml is not on the classpath")
                .hasMessageContaining("src/main/resources");
    }

    /** Those of one run are old, whatever becomes of their line numbers; all others are new. */
    @Test
    void letsFrozenViolationsPassAndNewOnesFail(@TempDir Path folder) {
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
                    .hasMessageNotContaining("Guilty$");
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
