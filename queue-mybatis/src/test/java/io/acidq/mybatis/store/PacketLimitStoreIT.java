package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import io.acidq.mybatis.store.StoreDatabase.Driver;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.testservers.FullBuild;
import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestServers;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server whose max_allowed_packet is 64 KB. It closes the connection over a larger statement, and the transaction of the caller is lost. Connector/J itself
 * refuses such a statement, so that only a full build tests with MySQL too.
 */
@ParameterizedClass
@MethodSource("kinds")
class PacketLimitStoreIT {

    private static final Due LATER = new Due(null, Instant.parse("2090-05-05T05:05:05Z"));

    /** Fits into half of the packet, in which some drivers write each byte as two. */
    private static final int FITS = 28_000;

    private static PrivateServer server;
    private static StoreDatabase database;

    @Parameter
    private ServerKind kind;

    private QueueFixture fixture;

    static Stream<ServerKind> kinds() {
        return Stream.of(ServerKind.values()).filter(kind -> kind == ServerKind.MARIADB || FullBuild.IS_ON);
    }

    @BeforeParameterizedClassInvocation
    static void startServer(ServerKind kind) {
        server = TestServers.startPrivate(kind, "--max-allowed-packet=64K");
        Driver driver = kind == ServerKind.MYSQL ? Driver.CONNECTOR_J : Driver.MARIADB;
        database = StoreDatabase.on(server.server().createDatabase(), driver, "", true);
    }

    @AfterParameterizedClassInvocation
    static void stopServer() {
        database.close();
        server.close();
    }

    @BeforeEach
    void openQueue() {
        fixture = new QueueFixture(database);
    }

    @Test
    void refusesALargerMessageBeforeItIsSentAndTheTransactionOfTheCallerGoesOn() {
        MessageRow large = message(payload(70_000), Due.NOW);
        database.transactions().run(() -> {
            fixture.store.enqueue().insert(List.of(message(payload(FITS), Due.NOW)));
            assertRefused(() -> fixture.store.enqueue().insert(List.of(large)));
            assertRefused(() -> fixture.store.enqueue().insert(List.of(message(payload(70_000), LATER))));
            assertRefused(() -> fixture.store.enqueue().insertClaimed(large, fixture.node));
        });

        assertThat(fixture.claim(0, 10).messages()).hasSize(1);
    }

    @Test
    void sendsBulksInPiecesThatFit() {
        List<MessageRow> due = IntStream.range(0, 300)
                .mapToObj(i -> message(payload(1_000), Due.NOW))
                .toList();
        List<MessageRow> waiting = IntStream.range(0, 300)
                .mapToObj(i -> message(payload(1_000), LATER))
                .toList();
        database.transactions().run(() -> {
            fixture.store.enqueue().insert(due);
            fixture.store.enqueue().insert(waiting);
        });

        assertThat(fixture.count("acidq_message")).isEqualTo(300);
        assertThat(fixture.count("acidq_scheduled")).isEqualTo(300);
    }

    @Test
    void takesAndLocksManyLongKeysInPiecesThatFit() {
        String rest = "x".repeat(240);
        List<KeyClaim> keys =
                IntStream.range(1_000, 1_500).mapToObj(i -> claim(i + rest)).toList();
        List<KeyClaim> others =
                IntStream.range(2_000, 2_500).mapToObj(i -> claim(i + rest)).toList();
        List<String> work = keys.stream().map(KeyClaim::key).toList();
        database.transactions().run(() -> {
            assertThat(fixture.store.enqueue().takeKeys(keys)).hasSize(500).allMatch(holder -> holder.isEmpty());
            List<KeyState> locked = fixture.store.enqueue().lockKeys(others);
            fixture.store
                    .enqueue()
                    .writeKeys(IntStream.range(0, 500)
                            .mapToObj(i ->
                                    new KeyWrite(others.get(i), locked.get(i).takenAt(), 0))
                            .toList());
            assertThat(fixture.store.inbox().takeIfFree("c", work, Duration.ZERO))
                    .isEmpty();
        });

        assertThat(fixture.count("acidq_key")).isEqualTo(1_000);
        database.transactions().run(() -> fixture.store.inbox().takeIfFree("c", work, Duration.ZERO));
    }

    @Test
    void refusesToReplaceAScheduledMessageByALargerOne() {
        KeyClaim key = claim("k");
        database.transactions().run(() -> {
            KeyState taken = fixture.store.enqueue().lockKeys(List.of(key)).get(0);
            fixture.store.enqueue().insert(List.of(message(payload(10), LATER)));
            assertRefused(() -> fixture.store.enqueue().replaceIfScheduled(taken, message(payload(70_000), LATER)));
        });
    }

    @Test
    void refusesToReplayADeadLetterWithALargerPayloadAndRecordsAnErrorOfAnyLength() {
        fixture.deadLetter("a", null, null, "\u20ac".repeat(100_000));

        assertRefused(() -> fixture.store
                .dead()
                .editIfDead(QueueFixture.ANN, fixture.letters().get(0), payload(70_000), null));
        assertThat(fixture.store
                        .dead()
                        .editIfDead(QueueFixture.ANN, fixture.letters().get(0), payload(FITS), null)
                        .changed())
                .isEqualTo(1);
    }

    @Test
    void removesManyKeysInStepsThatFit() {
        List<KeyClaim> keys = IntStream.range(1_000, 1_500)
                .mapToObj(i -> new KeyClaim(
                        fixture.queueId, "k" + i, UUID.randomUUID(), 0, Due.NOW, new Window(Duration.ZERO, true)))
                .toList();
        database.transactions().run(() -> fixture.store.enqueue().takeKeys(keys));
        while (fixture.store.maintenance().pruneKeys(500).more()) {
            // the rest
        }

        assertThat(fixture.count("acidq_key")).isZero();
    }

    private static void assertRefused(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll("a payload of 70000 bytes", "max_allowed_packet is 65536");
    }

    /** Every byte that a driver escapes. */
    private static byte[] payload(int bytes) {
        byte[] payload = new byte[bytes];
        Arrays.fill(payload, (byte) '\'');
        return payload;
    }

    private MessageRow message(byte[] payload, Due due) {
        return new MessageRow(fixture.queueId, 0, UUID.randomUUID(), null, null, "type", "h".repeat(100), payload, due);
    }

    private KeyClaim claim(String key) {
        return new KeyClaim(fixture.queueId, key, UUID.randomUUID(), 0, Due.NOW, new Window(QueueFixture.HOUR, true));
    }
}
