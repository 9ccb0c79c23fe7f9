package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;

class QueueMisuseFailureAnalyzerTest {

    private final QueueMisuseFailureAnalyzer analyzer = new QueueMisuseFailureAnalyzer();

    @Test
    void saysWhatIsWrongWhereAndWhatToDo() {
        FailureAnalysis analysis = analyzer.analyze(new BeanCreationException(
                "orders", "failed", new QueueMisuseException("queue 'q' has two listeners: remove one of them")));

        assertThat(analysis.getDescription())
                .startsWith("Queue 'q' has two listeners: remove one of them.")
                .contains("bean 'orders'");
        assertThat(analysis.getAction()).isEqualTo("Remove one of them.");
    }

    @Test
    void keepsTheWholeAdviceWhereItQuotesSomethingWithAColon() {
        QueueMisuseException misuse = new QueueMisuseException("a table differs: run ALTER TABLE x COMMENT 'a: b'");

        assertThat(analyzer.analyze(misuse).getAction()).isEqualTo("Run ALTER TABLE x COMMENT 'a: b'.");
    }

    @Test
    void keepsNamesAsTheyAreWritten() {
        assertThat(describe("spring.datasource.url names no database")).startsWith("spring.datasource.url names");
        assertThat(describe("missedHeartbeatsLimit (acidq.missed-heartbeats-limit) is 1"))
                .startsWith("missedHeartbeatsLimit (acidq");
        assertThat(describe("heartbeatInterval (acidq.heartbeat-interval) is 1"))
                .startsWith("heartbeatInterval (acidq");
        assertThat(describe("@Publish is on a private method")).startsWith("@Publish is");
        assertThat(describe("queue 'q' has two listeners")).startsWith("Queue 'q'");
    }

    private String describe(String message) {
        return analyzer.analyze(new QueueMisuseException(message)).getDescription();
    }

    /** It repeated the description. */
    @Test
    void saysWhatToDoAboutASettingOfTheEngine() {
        assertThatThrownBy(() -> EngineConfig.defaults().withHeartbeat(Duration.ofSeconds(3), 1))
                .isInstanceOfSatisfying(QueueMisuseException.class, misuse -> {
                    FailureAnalysis analysis = analyzer.analyze(misuse);
                    assertThat(analysis.getDescription())
                            .startsWith(
                                    "Engine: missedHeartbeatsLimit (acidq.missed-heartbeats-limit) must be at least 4, was 1")
                            .doesNotContainIgnoringCase("give it a value");
                    assertThat(analysis.getAction()).startsWith("Set a value within these limits");
                });
    }

    @Test
    void endsASentenceThatWasQuotedWithItsFullStopOnce() {
        FailureAnalysis analysis =
                analyzer.analyze(new QueueMisuseException("a bean is wrong: correct its configuration."));

        assertThat(analysis.getDescription()).endsWith("configuration.").doesNotEndWith("..");
        assertThat(analysis.getAction()).isEqualTo("Correct its configuration.");
    }

    @Test
    void asksForAChangeWhereTheMessageNamesNone() {
        assertThat(analyzer.analyze(new QueueMisuseException("wrong")).getAction())
                .startsWith("Change the code");
    }

    @Test
    void leavesOtherFailuresToOthers() {
        assertThat(analyzer.analyze(new IllegalStateException("no misuse"))).isNull();
    }

    @Test
    void isFoundByBoot() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(FailureAnalyzer.class, (type, name, failure) -> {}))
                .hasAtLeastOneElementOfType(QueueMisuseFailureAnalyzer.class);
    }
}
