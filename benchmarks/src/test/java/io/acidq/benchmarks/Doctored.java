package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.CandidateKind;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.SendBatch;
import io.acidq.benchmarks.candidate.Work;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/** A queue, jdbc-1 where nothing else is said, with a flaw, which strikes letter 3 where nothing else is said. */
final class Doctored implements Candidate {

    private static final long VICTIM = 3;
    private static final Flaw SOUND = (candidateDatabase, work, connection, text) -> work.run(connection, text);

    private final String name;
    private final Candidate sound;
    private final Flaw flaw;
    private final UnaryOperator<SendBatch> packing;

    private Doctored(String name, Flaw flaw, UnaryOperator<SendBatch> packing) {
        this(name, "jdbc-1", flaw, packing);
    }

    private Doctored(String name, String sound, Flaw flaw, UnaryOperator<SendBatch> packing) {
        this.name = name;
        this.sound =
                CandidateSelection.of(List.of(), List.of(sound)).candidates().get(0);
        this.flaw = flaw;
        this.packing = packing;
    }

    /** Handles it in a transaction that is rolled back, and removes it all the same. */
    static Candidate losing() {
        return new Doctored(
                "losing",
                (candidateDatabase, work, connection, text) -> rolledBack(candidateDatabase, work, text),
                UnaryOperator.identity());
    }

    private static void rolledBack(CandidateDatabase candidateDatabase, Work work, String text) throws Exception {
        try (Connection other = candidateDatabase.login().connect()) {
            other.setAutoCommit(false);
            work.run(other, text);
            other.rollback();
        }
    }

    /** Handles it twice. */
    static Candidate doubling() {
        return new Doctored(
                "doubling",
                (candidateDatabase, work, connection, text) -> {
                    work.run(connection, text);
                    work.run(connection, text);
                },
                UnaryOperator.identity());
    }

    /** Another queue, whose handler fails at it, but only the first time. */
    static Candidate failingOnce(String sound, Exception failure) {
        AtomicBoolean failed = new AtomicBoolean();
        return new Doctored(
                sound + "-failing",
                sound,
                (candidateDatabase, work, connection, text) -> {
                    if (failed.compareAndSet(false, true)) {
                        throw failure;
                    }
                    work.run(connection, text);
                },
                UnaryOperator.identity());
    }

    /** One connection, in order; while its handler runs, another one of the same message begins, and is rolled back. */
    static Candidate overlapping() {
        return new Doctored(
                "overlapping",
                "one-connection",
                (candidateDatabase, work, connection, text) -> {
                    Connection interrupted = (Connection) Proxy.newProxyInstance(
                            Doctored.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (proxy, method, args) -> {
                                if (method.getName().equals("prepareStatement")) {
                                    rolledBack(candidateDatabase, work, text);
                                }
                                return method.invoke(connection, args);
                            });
                    work.run(interrupted, text);
                },
                UnaryOperator.identity());
    }

    /** Places another letter in the place of one. */
    static Candidate swapping(long one, long another) {
        return new Doctored(
                "swapping-" + one,
                SOUND,
                sendBatch -> new SendBatch(
                        sendBatch.letters().stream()
                                .map(benchmarkMessage -> benchmarkMessage.id() == one
                                        ? BenchmarkMessage.of(another, 40)
                                        : benchmarkMessage)
                                .toList(),
                        sendBatch.business()));
    }

    /** Places it without its business row. */
    static Candidate forgettingItsRow() {
        return new Doctored(
                "forgetting-its-row",
                SOUND,
                sendBatch -> new SendBatch(
                        sendBatch.letters(),
                        sendBatch.business() && sendBatch.letters().get(0).id() != VICTIM));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CandidateKind kind() {
        return CandidateKind.PEER;
    }

    @Override
    public boolean acknowledgesWithTheEffect() {
        return true;
    }

    @Override
    public Set<Capability> abilities() {
        return sound.abilities();
    }

    @Override
    public List<String> tablePrefixes() {
        return sound.tablePrefixes();
    }

    @Override
    public Bench open(CandidateDatabase candidateDatabase) throws Exception {
        return new FlawedBench(sound.open(candidateDatabase), candidateDatabase, flaw, packing);
    }

    private interface Flaw {
        void run(CandidateDatabase candidateDatabase, Work work, Connection connection, String text) throws Exception;
    }

    private record FlawedBench(Bench sound, CandidateDatabase site, Flaw flaw, UnaryOperator<SendBatch> packing)
            implements Bench {

        @Override
        public void start(int workers, Work work) throws Exception {
            sound.start(workers, new Work() {
                @Override
                public void run(Connection connection, String text) throws Exception {
                    if (BenchmarkMessage.idOf(text) == VICTIM) {
                        flaw.run(site, work, connection, text);
                    } else {
                        work.run(connection, text);
                    }
                }

                @Override
                public void run(String text) throws Exception {
                    work.run(text);
                }
            });
        }

        @Override
        public void place(SendBatch sendBatch) throws Exception {
            sound.place(packing.apply(sendBatch));
        }

        @Override
        public void fill(Backlog backlog) throws Exception {
            sound.fill(new Backlog(
                    backlog.count(),
                    id -> packing.apply(new SendBatch(backlog.part(id, 1), false))
                            .letters()
                            .get(0)));
        }

        @Override
        public void stop() throws Exception {
            sound.stop();
        }

        @Override
        public void left(LongConsumer letters) throws Exception {
            sound.left(letters);
        }

        @Override
        public Map<String, Double> failures() {
            return sound.failures();
        }

        @Override
        public void close() {
            sound.close();
        }
    }
}
