package io.acidq.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.test.DrainResult.Ended;
import io.acidq.test.DrainResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DrainResultTest {

    private static final MessageId ID = new MessageId("mail", 1, new UUID(1, 2));

    @Test
    void countsHowTheRunsEnded() {
        DrainResult result = of(
                        Outcome.done(),
                        Outcome.retryAfter(Duration.ofSeconds(1)),
                        Outcome.dead("never"),
                        Outcome.snooze(Duration.ofSeconds(1)),
                        Outcome.cancel("no"))
                .and(of(Outcome.done()));
        assertThat(List.of(result.done(), result.retried(), result.dead(), result.snoozed(), result.cancelled()))
                .containsExactly(2, 1, 1, 1, 1);
    }

    @Test
    void tellsOfEachRunThatWasNotDoneAndWhatWasThrown() {
        IllegalStateException thrown = new IllegalStateException("out of stock");
        DrainResult result = new DrainResult(
                List.of(new Ended(ID, Outcome.done()), new Ended(ID, Outcome.dead("no such order"))),
                List.of(new Failure(ID, thrown)),
                List.of(),
                Optional.empty());
        assertThatThrownBy(result::allDone)
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("mail~1~", "no such order", "out of stock")
                .hasCause(thrown);
        assertThat(of(Outcome.done()).allDone().done()).isEqualTo(1);
    }

    private static DrainResult of(Outcome... outcomes) {
        return new DrainResult(
                List.of(outcomes).stream().map(o -> new Ended(ID, o)).toList(), List.of(), List.of(), Optional.empty());
    }
}
