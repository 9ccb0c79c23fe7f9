package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.EnqueueOptions;
import io.acidq.Handler;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetter;
import io.acidq.codec.Codec;
import io.acidq.config.Listener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Cases 45 to 47 of docs/en/proof.md: payloads, headers and causes at their limits and beyond, damaged payloads, and payloads that name classes. */
class PayloadAbuseIT extends SharedEngineTests {

    private static final int LIMIT = 64 * 1024;
    private static final int INLINE = 8 * 1024;

    /** Bytes as they are. */
    private static final class Raw implements Codec {

        @Override
        public Encoded encode(Object payload) {
            return new Encoded("raw", (byte[]) payload);
        }

        @Override
        public <T> T decode(Encoded encoded, Class<T> as) {
            return as.cast(encoded.bytes());
        }
    }

    /** Case 45: 0, around the size up to which a claim carries payloads, and the limit. */
    @Test
    void keepsPayloadsFromEmptyToTheLimit() throws Exception {
        Queue<byte[]> seen = new ConcurrentLinkedQueue<>();
        Engine engine = raw(LIMIT, "sizes", (bytes, delivery) -> {
            seen.add(bytes);
            return Outcome.done();
        });
        List<byte[]> sent = Stream.of(0, 1, INLINE - 1, INLINE, INLINE + 1, LIMIT - 1, LIMIT)
                .map(PayloadAbuseIT::bytes)
                .toList();
        transactions.run(() -> sent.forEach(bytes -> engine.queue().enqueue("sizes", bytes)));
        awaitDrained();
        assertThat(seen).hasSameSizeAs(sent);
        assertThat(sent).allMatch(bytes -> seen.stream().anyMatch(other -> Arrays.equals(bytes, other)));
    }

    /** Case 45. */
    @Test
    void refusesAPayloadBeyondTheLimitAndLeavesTheTransactionUsable() throws Exception {
        Engine engine = raw(LIMIT, null, null);
        transactions.run(() -> {
            insertEffect(new Step("beside", 1), 0);
            for (byte[] large : List.of(new byte[LIMIT + 1], new byte[100 << 20])) {
                assertThatThrownBy(() -> engine.queue()
                                .enqueue("refused", large, options().key("k")))
                        .isInstanceOf(MessageRejectedException.class)
                        .hasMessageContainingAll("'refused'", large.length + " bytes", "maxPayloadBytes");
            }
            assertThat(engine.queue()
                            .enqueue("refused", new byte[1], options().key("k"))
                            .isAdded())
                    .isTrue();
        });
        assertThat(rows("effect WHERE k = 'beside'")).isEqualTo(1);
        assertThat(inQueue("refused")).isEqualTo(1);
    }

    /** Case 45: within AcidQ's limit, but not within the server's. */
    @Test
    void refusesAPayloadBeyondTheServersPacketAndLeavesTheTransactionUsable() throws Exception {
        long packet = count("SELECT @@GLOBAL.max_allowed_packet");
        Engine engine = raw(Integer.MAX_VALUE, null, null);
        transactions.run(() -> {
            insertEffect(new Step("around", 1), 0);
            for (int more : List.of(-10, 1, 1 << 20)) {
                byte[] large = new byte[(int) packet + more];
                Arrays.fill(large, (byte) 'x'); // which no driver escapes
                assertThatThrownBy(() -> engine.queue()
                                .enqueue("packets", large, options().key("k")))
                        .as("packet %d, %+d", packet, more)
                        .isInstanceOf(MessageRejectedException.class)
                        .hasMessageContainingAll("'packets'", "max_allowed_packet");
            }
            insertEffect(new Step("around", 2), 0);
            assertThat(engine.queue()
                            .enqueue("packets", new byte[1], options().key("k"))
                            .isAdded())
                    .as("the refused ones kept no key")
                    .isTrue();
        });
        assertThat(rows("effect WHERE k = 'around'")).isEqualTo(2);
        assertThat(inQueue("packets")).isEqualTo(1);
    }

    /** Case 45: each message fits into a packet, the bulk does not. */
    @Test
    void enqueuesABulkLargerThanAPacket() throws Exception {
        long packet = count("SELECT @@GLOBAL.max_allowed_packet");
        byte[] payload = bytes(1 << 20);
        int messages = (int) (packet / payload.length) + 4;
        Engine engine = raw(1 << 20, null, null);
        transactions.run(() -> engine.queue()
                .enqueueAll(
                        "many",
                        Stream.generate(() -> new NewMessage(payload, options()))
                                .limit(messages)
                                .toList()));
        assertThat(inQueue("many")).isEqualTo(messages);
    }

    /** Case 45: headers. Encoded, one 'x' is one character; the name and the '=' take two. */
    @Test
    void keepsHeadersUpToTheirLimitAndRefusesOneMoreCharacter() throws Exception {
        Queue<Map<String, String>> seen = new ConcurrentLinkedQueue<>();
        listen(Listener.on("headers", String.class, (text, delivery) -> {
            seen.add(delivery.headers());
            return Outcome.done();
        }));
        transactions.run(() -> {
            assertThatThrownBy(() -> queue().enqueue("headers", "x", header(7999)))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContaining("8000");
            queue().enqueue("headers", "x", header(7998));
        });
        awaitDrained();
        assertThat(seen).containsExactly(Map.of("h", "x".repeat(7998)));
    }

    private static EnqueueOptions header(int characters) {
        return options().header("h", "x".repeat(characters));
    }

    /** Case 45: errors of any length. */
    @Test
    void keepsTheSameLengthOfALongErrorWhetherTheHandlerReturnsOrThrowsItAndItsRootCause() throws Exception {
        listen(on("causes", (step, delivery) -> {
                    if (step.seq() == 1) {
                        return Outcome.dead("\ud83d\ude00".repeat(10 << 20));
                    }
                    throw new IllegalStateException("why ".repeat(5 << 20), new IOException("the disk is full"));
                })
                .withRetry(ONE_ATTEMPT));
        enqueue("causes", new Step("a", 1));
        enqueue("causes", new Step("a", 2));
        List<DeadLetter> dead = awaitDead("causes", 2);
        assertThat(dead).anySatisfy(letter -> assertThat(letter.error()).startsWith("\ud83d\ude00\ud83d\ude00"));
        assertThat(dead)
                .anySatisfy(letter -> assertThat(letter.error())
                        .contains("why why")
                        .endsWith("why ; caused by java.io.IOException: the disk is full"));
        assertThat(dead).allSatisfy(letter -> assertThat(letter.error()).hasSize(100_000));
    }

    /** Case 46: undecodable messages become dead letters with their bytes. */
    @Test
    void deadLettersUndecodableMessagesWithTheirBytesAndRunsTheOthers() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        place("damaged", 6);
        damage("damaged", 0, "payload = '{\"k\":\"cut o'");
        damage("damaged", 1, "payload = X'00FF00FF'");
        damage("damaged", 2, "type = 'ClassThatIsGone'");
        damage("damaged", 3, "headers = 'no equals sign'");
        damage("damaged", 4, "headers = 'a=%zz'");
        listen("damaged", (step, delivery) -> {
            ran.incrementAndGet();
            return Outcome.done();
        });
        List<DeadLetter> dead = awaitDead("damaged", 5);
        awaitDrained();
        assertThat(ran).hasValue(1);
        assertThat(dead).extracting(DeadLetter::attempts).as("at once").containsOnly(1);
        assertThat(dead)
                .extracting(letter -> new String(letter.payload(), StandardCharsets.ISO_8859_1))
                .contains("{\"k\":\"cut o", "\u0000\u00ff\u0000\u00ff");
        assertThat(dead.stream().map(DeadLetter::error).filter(mark -> mark.contains("headers cannot be read")))
                .hasSize(2);
        assertThat(dead).anySatisfy(letter -> assertThat(letter.error()).contains("'ClassThatIsGone'", "'Step'"));
    }

    /** Case 46, of several messages in one transaction. */
    @Test
    void deadLettersAMessageWithDamagedHeadersOfABatchAndRunsTheOthers() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        place("batch", 4);
        damage("batch", 2, "headers = 'no equals sign'");
        listen(Listener.onBatch("batch", Step.class, 10, items -> {
            ran.addAndGet(items.size());
            return items.stream().map(i -> Outcome.done()).toList();
        }));
        awaitDead("batch", 1);
        awaitDrained();
        assertThat(ran).hasValue(3);
    }

    sealed interface Change permits Added, Removed {}

    record Added(long id) implements Change {}

    record Removed(long id) implements Change {}

    /** They were stored under the names of their run-time classes, and all were dead-lettered. */
    @Test
    void runsMapsAndTheClassesThatASealedTypePermits() throws Exception {
        Queue<Object> seen = new ConcurrentLinkedQueue<>();
        Engine engine = listen(
                Listener.on("maps", Map.class, (map, delivery) -> {
                    seen.add(map);
                    return Outcome.done();
                }),
                Listener.on("changes", Change.class, (change, delivery) -> {
                    seen.add(change);
                    return Outcome.done();
                }));
        transactions.run(() -> {
            engine.queue().enqueue("maps", Map.of("id", 1));
            engine.queue().enqueue("changes", new Added(1));
            engine.queue().enqueue("changes", new Removed(2));
        });
        awaitDrained();
        assertThat(seen).containsExactlyInAnyOrder(Map.of("id", 1), new Added(1), new Removed(2));
    }

    @Test
    void refusesAPayloadThatTheQueuesListenerCannotReadAndLeavesTheTransactionUsable() throws Exception {
        Engine engine = listen("typed", (step, delivery) -> effect(step, delivery));
        transactions.run(() -> {
            assertThatThrownBy(() -> engine.queue()
                            .enqueue("typed", new Added(1), options().key("k")))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContainingAll("'typed'", Added.class.getName(), Step.class.getName());
            engine.queue().enqueue("typed", new Step("good", 1), options().key("k"));
        });
        awaitDrained();
        assertThat(effects()).isEqualTo(1);
    }

    /** A bug: the first payload was read as the listener's class, and later ones of its class were not, though their values decide. */
    @Test
    void refusesALaterPayloadOfAnotherClassThanTheListenersWhoseValueTheListenerCannotRead() throws Exception {
        List<Integer> seen = new CopyOnWriteArrayList<>();
        Engine engine = listen(Listener.on("numbers", Integer.class, (number, delivery) -> {
            seen.add(number);
            return Outcome.done();
        }));
        transactions.run(() -> {
            engine.queue().enqueue("numbers", 1L);
            assertThatThrownBy(() -> engine.queue().enqueue("numbers", 3_000_000_000L))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContainingAll("'numbers'", Integer.class.getName());
            engine.queue().enqueue("numbers", 2L);
        });
        awaitDrained();
        assertThat(seen).containsExactlyInAnyOrder(1, 2);
        assertThat(rows("acidq_dead")).isZero();
    }

    /** No code creates one: an instance shows that a payload or a type name chose its class. */
    public static final class Gadget {

        static final AtomicInteger MADE = new AtomicInteger();

        public Gadget() {
            MADE.incrementAndGet();
        }
    }

    /** What a listener of an open type asks for. */
    record Open(Object anything) {}

    /** Case 47. */
    @Test
    void createsNoObjectOfATypeNamedByThePayload() throws Exception {
        String gadget = Gadget.class.getName();
        Queue<Object> seen = new ConcurrentLinkedQueue<>();
        place("gadgets", 6);
        String open = "type = 'Open', payload = ";
        damage("gadgets", 0, open + "'{\"anything\":{\"@class\":\"" + gadget + "\"}}'");
        damage("gadgets", 1, open + "'{\"anything\":[\"" + gadget + "\",{}]}'");
        damage("gadgets", 2, open + "'{\"@class\":\"" + gadget + "\",\"anything\":1}'");
        damage("gadgets", 3, open + "'[\"" + gadget + "\",{}]'");
        damage("gadgets", 4, "type = '" + gadget + "', payload = '{}'");
        damage("gadgets", 5, "type = 'java.lang.Runtime.exec', payload = '\"touch /tmp/pwned\"'");
        listen(Listener.on("gadgets", Open.class, (payload, delivery) -> {
            seen.add(payload.anything());
            return Outcome.done();
        }));
        awaitDead("gadgets", 3);
        awaitDrained();
        assertThat(Gadget.MADE).hasValue(0);
        assertThat(seen).containsExactlyInAnyOrder(Map.of("@class", gadget), List.of(gadget, Map.of()), 1);
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 31);
        }
        return bytes;
    }

    private Engine raw(int most, String queue, Handler<byte[]> handler) {
        return engine(e -> {
            EngineBuilder with = e.config(QUICK.withMaxPayloadBytes(most)).codec(new Raw());
            return handler == null ? with : with.listen(Listener.on(queue, byte[].class, handler));
        });
    }

    private void place(String queue, int messages) throws Exception {
        transactions.run(() -> {
            for (int i = 0; i < messages; i++) {
                queue().enqueue(queue, new Step("good", i));
            }
        });
    }

    /** Changes a stored message by SQL. */
    private void damage(String queue, int message, String how) {
        long id = count("SELECT m.id FROM acidq_message m JOIN acidq_queue q ON q.id = m.queue WHERE q.name = '" + queue
                + "' ORDER BY m.id LIMIT 1 OFFSET " + message);
        sql("UPDATE acidq_message SET " + how + " WHERE id = " + id);
    }

    private List<DeadLetter> awaitDead(String queue, int letters) {
        awaitUntil(() -> deadLetters().list(queue, 100).size() == letters);
        return deadLetters().list(queue, 100);
    }

    private long inQueue(String queue) {
        return rows("acidq_message m JOIN acidq_queue q ON q.id = m.queue WHERE q.name = '" + queue + "'");
    }
}
