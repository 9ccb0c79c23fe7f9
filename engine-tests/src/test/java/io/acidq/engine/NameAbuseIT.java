package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.MessageId;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.OnDuplicate;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.Operator;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.resilience.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases 44, 48 and 57 of docs/en/proof.md: keys that collations treat as equal, names that contain SQL, and extreme times. */
class NameAbuseIT extends SharedEngineTests {

    private static final List<String> ALIKE = List.of(
            "a",
            "A",
            "á",
            "a\u0301",
            "a ",
            " a",
            "a\u0000",
            "\u0000",
            "\ud83e\udd8a",
            "ß",
            "ss",
            "'",
            "\"",
            "`",
            "\\",
            "%",
            "a'; DROP TABLE acidq_message; -- ",
            "x".repeat(255),
            "x".repeat(254) + "y",
            "\ud83e\udd8a".repeat(63) + "abc");

    /** Case 44: keys keep their exact characters through the database, one by one and in bulk. */
    @Test
    void distinguishesMessageKeysThatCollationsTreatAsEqual() throws Exception {
        for (String key : ALIKE) {
            assertThat(enqueue("keys", new Step(key, 1), options().key(key)).isAdded())
                    .as(key)
                    .isTrue();
        }
        List<Enqueued> again = transactions.call(() -> queue().enqueueAll(
                        "keys",
                        ALIKE.stream()
                                .map(key -> new NewMessage(
                                        new Step(key, 2), options().key(key)))
                                .toList()));
        assertThat(again).allMatch(Enqueued::isDuplicate);
        assertThat(again.stream().map(Enqueued::id).distinct()).hasSameSizeAs(ALIKE);
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        try (Engine engine = listen("keys", (step, delivery) -> {
            seen.add(delivery.key().orElseThrow());
            return Outcome.done();
        })) {
            awaitDrained();
            assertThat(engine.isRunning()).isTrue();
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(ALIKE);
    }

    /** Case 44: each key has its own order, and none blocks another. */
    @Test
    void distinguishesOrderingKeysThatCollationsTreatAsEqual() throws Exception {
        transactions.run(() ->
                IntStream.range(0, 3).forEach(round -> ALIKE.forEach(key -> enqueueOrdered("lines", key, round))));
        Queue<Step> seen = new ConcurrentLinkedQueue<>();
        try (Engine engine = listen("lines", (step, delivery) -> {
            seen.add(step);
            return Outcome.done();
        })) {
            awaitDrained();
            assertThat(engine.isRunning()).isTrue();
        }
        assertThat(seen).hasSize(3 * ALIKE.size());
        for (String key : ALIKE) {
            assertThat(seen.stream().filter(step -> step.k().equals(key)).map(Step::seq))
                    .containsExactly(0L, 1L, 2L);
        }
    }

    /** Case 44: empty, too long in bytes though not in characters, and half a character. */
    @ParameterizedTest
    @ValueSource(strings = {"", "256", "emoji", "half"})
    void refusesInvalidKeysAtEnqueueAndLeavesTheTransactionUsable(String which) throws Exception {
        String key = switch (which) {
            case "256" -> "x".repeat(256);
            case "emoji" -> "\ud83e\udd8a".repeat(64);
            case "half" -> "a\ud83e";
            default -> "";
        };
        Enqueued good = transactions.call(() -> {
            assertThatThrownBy(() -> queue().enqueue("refusing", "x", options().key(key)))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContaining("key");
            assertThatThrownBy(() -> queue().enqueue("refusing", "x", options().orderingKey(key)))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContaining("ordering key");
            return queue().enqueue("refusing", "x", options().key("good " + which));
        });
        assertThat(good.isAdded()).isTrue();
        sql("DELETE FROM acidq_message");
    }

    /** Case 48: each method refuses them before any SQL. The names of the tables are fixed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "q'; DROP TABLE acidq_message; -- ",
                "`acidq_message`",
                "\"q\"",
                "a b",
                "q;",
                "../q",
                "q\u0000",
                "größe",
                "-q",
                "",
                "101 characters"
            })
    void refusesQueueNamesThatCouldBeSql(String which) {
        String name = which.startsWith("101") ? "q".repeat(101) : which;
        long queues = rows("acidq_queue");
        Engine engine = sender();
        List<ThrowingCallable> doors = new ArrayList<>(List.of(
                () -> enqueue(name, "x", options()),
                () -> Listener.on(name, String.class, (text, delivery) -> Outcome.done()),
                () -> EngineConfig.defaults().withQueue(name, QueueConfig.defaults()),
                () -> engine.deadLetters().list(name, 10),
                () -> engine.deadLetters().groups(name, 10),
                () -> engine.deadLetters().count(DeadLetterFilter.of(name)),
                () -> engine.control().pause(name, new Operator("ann", "why not")),
                () -> engine.control().isPaused(name),
                () -> engine.backlog(name),
                () -> engine.blockedKeys().list(name, 10)));
        doors.add(() -> engine.deadLetters().replay(new MessageId(name, 0, UUID.randomUUID())));
        doors.add(() -> engine.why(new MessageId(name, 0, UUID.randomUUID())));
        doors.add(() -> transactions.run(() -> engine.inbox().once(name, "k", () -> {})));
        for (ThrowingCallable door : doors) {
            assertThatThrownBy(door)
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("1 to 100 letters, digits");
        }
        assertThat(rows("acidq_queue")).isEqualTo(queues);
    }

    /** Case 48: free texts are always parameters. */
    @Test
    void treatsSqlInTextsAsText() throws Exception {
        String evil = "x'; DROP TABLE acidq_dead; -- \\ \" ` %";
        listen("texts", (step, delivery) -> Outcome.dead(evil));
        Enqueued sent = enqueue(
                "texts",
                new Step(evil, 1),
                options().key(evil).orderingKey(evil).header(evil, evil));
        Engine engine = sender();
        awaitDrained();
        DeadLetterFilter filter = DeadLetterFilter.of("texts").withKey(evil).withOrderingKey(evil);
        assertThat(engine.deadLetters().count(filter)).isEqualTo(1);
        assertThat(engine.deadLetters().list("texts", 10).get(0).error()).isEqualTo(evil);
        assertThat(engine.deadLetters().discard(sent.id(), new Operator(evil, evil)))
                .isTrue();
        assertThat(engine.audit().of(sent.id()).get(0).reason()).isEqualTo(evil);
    }

    /** Case 57: the longest times that are accepted can be stored, and do not affect other messages. */
    @Test
    void storesTheFarthestTimesThatItAccepts() throws Exception {
        EngineConfig config = QUICK.withDeduplicationWindow(Duration.ofDays(36_500));
        Engine engine = engine(e -> e.config(config)
                .listen(on("far", (step, delivery) -> Outcome.snooze(Duration.ofDays(365)))
                        .withRetry(RetryPolicy.defaults().withMaxAttempts(1000))));
        List<EnqueueOptions> farthest = List.of(
                options().at(Instant.parse("9999-01-01T00:00:00Z")),
                options().at(Instant.EPOCH),
                options().delay(Duration.ofDays(365_000)),
                options().delay(Duration.ofNanos(1)),
                options().onDuplicate(OnDuplicate.throttle(Duration.ofDays(36_500))));
        transactions.run(() -> {
            for (EnqueueOptions options : farthest) {
                engine.queue().enqueue("far", new Step("a", 1), options.key(options.toString()));
            }
        });
        awaitRows("acidq_scheduled WHERE claim_no = 1", 3);
        assertThat(rows("acidq_scheduled")).isEqualTo(5);
        assertThat(rows("acidq_scheduled WHERE preexec_time > '2900-01-01'")).isEqualTo(2);
        engine.close();
        sql("DELETE FROM acidq_scheduled");
    }
}
