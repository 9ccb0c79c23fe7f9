package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.CandidateKind;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.SendBatch;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/** A queue, jdbc-1 where nothing else is said, with a flaw, which strikes letter 3 where nothing else is said. */
final class FaultyCandidate implements Candidate {

    private static final long AFFECTED_MESSAGE = 3;
    private static final Flaw NO_FLAW =
            (candidateDatabase, handlerWork, connection, text) -> handlerWork.run(connection, text);

    private final String name;
    private final Candidate sound;
    private final Flaw flaw;
    private final UnaryOperator<SendBatch> packing;

    private FaultyCandidate(String name, Flaw flaw, UnaryOperator<SendBatch> packing) {
        this(name, "jdbc-1", flaw, packing);
    }

    private FaultyCandidate(String name, String sound, Flaw flaw, UnaryOperator<SendBatch> packing) {
        this.name = name;
        this.sound =
                CandidateSelection.of(List.of(), List.of(sound)).candidates().get(0);
        this.flaw = flaw;
        this.packing = packing;
    }

    /** Handles it in a transaction that is rolled back, and removes it all the same. */
    static Candidate losing() {
        return new FaultyCandidate(
                "losing",
                (candidateDatabase, handlerWork, connection, text) -> rolledBack(candidateDatabase, handlerWork, text),
                UnaryOperator.identity());
    }

    private static void rolledBack(CandidateDatabase candidateDatabase, HandlerWork handlerWork, String text)
            throws Exception {
        try (Connection other = candidateDatabase.login().connect()) {
            other.setAutoCommit(false);
            handlerWork.run(other, text);
            other.rollback();
        }
    }

    /** Handles it twice. */
    static Candidate doubling() {
        return new FaultyCandidate(
                "doubling",
                (candidateDatabase, handlerWork, connection, text) -> {
                    handlerWork.run(connection, text);
                    handlerWork.run(connection, text);
                },
                UnaryOperator.identity());
    }

    /** Another queue, whose handler fails at it, but only the first time. */
    static Candidate failingOnce(String sound, Exception failure) {
        AtomicBoolean failed = new AtomicBoolean();
        return new FaultyCandidate(
                sound + "-failing",
                sound,
                (candidateDatabase, handlerWork, connection, text) -> {
                    if (failed.compareAndSet(false, true)) {
                        throw failure;
                    }
                    handlerWork.run(connection, text);
                },
                UnaryOperator.identity());
    }

    /** One connection, in order; while its handler runs, another one of the same message begins, and is rolled back. */
    static Candidate overlapping() {
        return new FaultyCandidate(
                "overlapping",
                "one-connection",
                (candidateDatabase, handlerWork, connection, text) -> {
                    Connection interrupted = (Connection) Proxy.newProxyInstance(
                            FaultyCandidate.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (proxy, method, args) -> {
                                if (method.getName().equals("prepareStatement")) {
                                    rolledBack(candidateDatabase, handlerWork, text);
                                }
                                return method.invoke(connection, args);
                            });
                    handlerWork.run(interrupted, text);
                },
                UnaryOperator.identity());
    }

    /** Places another letter in the place of one. */
    static Candidate swapping(long one, long another) {
        return new FaultyCandidate(
                "swapping-" + one,
                NO_FLAW,
                sendBatch -> new SendBatch(
                        sendBatch.messages().stream()
                                .map(benchmarkMessage -> benchmarkMessage.id() == one
                                        ? BenchmarkMessage.of(another, 40)
                                        : benchmarkMessage)
                                .toList(),
                        sendBatch.business()));
    }

    /** Places it without its business row. */
    static Candidate forgettingItsRow() {
        return new FaultyCandidate(
                "forgetting-its-row",
                NO_FLAW,
                sendBatch -> new SendBatch(
                        sendBatch.messages(),
                        sendBatch.business() && sendBatch.messages().get(0).id() != AFFECTED_MESSAGE));
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
    public CandidateAdapter open(CandidateDatabase candidateDatabase) throws Exception {
        return new FaultyAdapter(sound.open(candidateDatabase), candidateDatabase, flaw, packing);
    }

    private interface Flaw {
        void run(CandidateDatabase candidateDatabase, HandlerWork handlerWork, Connection connection, String text)
                throws Exception;
    }

    private record FaultyAdapter(
            CandidateAdapter sound, CandidateDatabase database, Flaw flaw, UnaryOperator<SendBatch> packing)
            implements CandidateAdapter {

        @Override
        public void start(int workers, HandlerWork handlerWork) throws Exception {
            sound.start(workers, new HandlerWork() {
                @Override
                public void run(Connection connection, String text) throws Exception {
                    if (BenchmarkMessage.idOf(text) == AFFECTED_MESSAGE) {
                        flaw.run(database, handlerWork, connection, text);
                    } else {
                        handlerWork.run(connection, text);
                    }
                }

                @Override
                public void run(String text) throws Exception {
                    handlerWork.run(text);
                }
            });
        }

        @Override
        public void send(SendBatch sendBatch) throws Exception {
            sound.send(packing.apply(sendBatch));
        }

        @Override
        public void fill(Backlog backlog) throws Exception {
            sound.fill(new Backlog(
                    backlog.count(),
                    id -> packing.apply(new SendBatch(backlog.part(id, 1), false))
                            .messages()
                            .get(0)));
        }

        @Override
        public void stop() throws Exception {
            sound.stop();
        }

        @Override
        public void forEachRemaining(LongConsumer letters) throws Exception {
            sound.forEachRemaining(letters);
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
