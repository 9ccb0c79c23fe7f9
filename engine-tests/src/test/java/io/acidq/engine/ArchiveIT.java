package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Enqueued;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Archive.ArchivedMessage;
import io.acidq.config.EngineConfig;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.config.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The archive of done messages, and the removal of expired rows, on a real server. */
class ArchiveIT extends FreshEngineTests {

    private static final String Q = "kept";
    private static final Instant LATE = Instant.parse("9000-01-01T00:00:00Z");

    static List<HandlerOptions> ways() {
        HandlerOptions single = HandlerOptions.defaults();
        return List.of(single, single.withTransactionSize(10), single.withMode(HandlerMode.EXTERNAL));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void archivesEachDoneMessageOnceAndNoOther(HandlerOptions options) throws Exception {
        List<Enqueued> placed = place(60);
        Engine engine = engine(
                c -> c.withQueue(Q, QueueConfig.defaults().withArchiveRetention(Duration.ofDays(1))),
                listener -> listener.withOptions(options));
        awaitDrained();

        List<ArchivedMessage> kept = engine.archive().list(Q, Instant.EPOCH, LATE, 1000);
        assertThat(kept).hasSize(54);
        assertThat(kept).extracting(ArchivedMessage::doneAt).isSorted();
        assertThat(kept).extracting(m -> m.headers().get("trace")).contains("t1", "t59");
        assertThat(deadLetters().list(Q, 100))
                .extracting(letter -> letter.headers().get("trace"))
                .containsExactlyInAnyOrder("t0", "t10", "t20", "t30", "t40", "t50");
        assertThat(engine.archive().find(placed.get(1).id()).orElseThrow().payload())
                .asString()
                .contains("m");
        assertThat(engine.archive().find(placed.get(0).id()))
                .as("a dead letter")
                .isEmpty();
        assertThatThrownBy(() -> engine.archive().list(Q, Instant.EPOCH, LATE, 0))
                .isInstanceOf(QueueMisuseException.class);
    }

    @Test
    void removesExpiredArchiveDeadLetterNodeAndAuditRows() throws Exception {
        place(20);
        Engine first = engine(
                c -> c.withQueue(Q, QueueConfig.defaults().withArchiveRetention(Duration.ofDays(1))),
                listener -> listener);
        awaitDrained();
        int ended = first.node();
        first.close();
        assertThat(rows("acidq_archive")).isEqualTo(18);
        sql("UPDATE acidq_archive SET kept_until = kept_until - INTERVAL 2 DAY");
        sql("UPDATE acidq_dead SET died_at = died_at - INTERVAL 2 DAY");
        sql("UPDATE acidq_node SET ended_at = ended_at - INTERVAL 8 DAY");
        sql("INSERT INTO acidq_audit (at, actor, action, queue, reason, detail)"
                + " VALUES (UTC_TIMESTAMP(6) - INTERVAL 366 DAY, 'ann', 'replay', 1, 'r', 'd')");

        engine(
                c -> c.withRetention(Retention.defaults().withDeadLetters(Duration.ofDays(1))),
                listener -> listener.withConcurrency(1));
        awaitUntil(() -> count("SELECT (SELECT COUNT(*) FROM acidq_archive) + (SELECT COUNT(*) FROM acidq_dead)"
                        + " + (SELECT COUNT(*) FROM acidq_audit) + (SELECT COUNT(*) FROM acidq_node WHERE id = "
                        + ended + ")")
                == 0);
    }

    private Engine engine(UnaryOperator<EngineConfig> config, UnaryOperator<Listener<Step>> tuning) {
        Listener<Step> listener = on(
                        Q, (step, delivery) -> step.seq() % 10 == 0 ? Outcome.dead("every tenth") : Outcome.done())
                .withRetry(ONE_ATTEMPT);
        return engine(e -> e.config(config.apply(QUICK)).listen(tuning.apply(listener)));
    }

    private List<Enqueued> place(int count) throws Exception {
        List<NewMessage> messages = LongStream.range(0, count)
                .mapToObj(i -> new NewMessage(new Step("m", i), options().header("trace", "t" + i)))
                .toList();
        return enqueueAll(Q, messages);
    }
}
