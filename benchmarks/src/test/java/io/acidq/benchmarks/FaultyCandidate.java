package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Candidate.CandidateKind;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.HandlerWork;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/** Candidates with one fault. It affects message 3 unless the factory method says otherwise. */
final class FaultyCandidate {
    private static final long AFFECTED_MESSAGE = 3;
    private static final String CONTENT =
            "queue, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time, order_key,"
                    + " type, headers, size, payload";
    private static final String TO_DEAD = "INSERT INTO acidq_dead (died_at, mark, cause, " + CONTENT
            + ") SELECT UTC_TIMESTAMP(6), 'no', REPEAT('x', 8), " + CONTENT + " FROM acidq_message WHERE ";
    private static final String TO_PARKED =
            "INSERT INTO acidq_parked (id, " + CONTENT + ") SELECT id, " + CONTENT + " FROM acidq_message WHERE ";
    private static final String MARKER = "INSERT INTO acidq_message (queue, lane, uid, kind, enqueued_at,"
            + " preexec_time, order_key, type, headers, size, payload) SELECT queue, lane, uid, 1, enqueued_at,"
            + " preexec_time, 'k', type, X'', 0, X'' FROM acidq_dead";

    private FaultyCandidate() {}

    /** {@code jdbc-1}, which handles the message in a transaction that rolls back, and deletes it all the same. */
    static Candidate losing() {
        return handling("losing", "jdbc-1", (db, work, connection, text) -> runAndRollBack(db, work, text));
    }

    private static void runAndRollBack(CandidateDatabase database, HandlerWork handlerWork, String text)
            throws Exception {
        try (Connection other = database.login().connect()) {
            other.setAutoCommit(false);
            handlerWork.run(other, text);
            other.rollback();
        }
    }

    /** {@code jdbc-1}, which handles the message twice. */
    static Candidate doubling() {
        return handling("doubling", "jdbc-1", (db, work, connection, text) -> {
            work.run(connection, text);
            work.run(connection, text);
        });
    }

    /** Another candidate, whose handler fails the first time. */
    static Candidate failingOnce(String original, Exception failure) {
        AtomicBoolean hasFailed = new AtomicBoolean();
        return handling(original + "-failing", original, (db, work, connection, text) -> {
            if (hasFailed.compareAndSet(false, true)) {
                throw failure;
            }
            work.run(connection, text);
        });
    }

    /** One connection, in order. While its handler runs, a second handler of the message starts and rolls back. */
    static Candidate overlapping() {
        return handling("overlapping", "one-connection", (db, work, connection, text) -> {
            Connection interrupted = (Connection) Proxy.newProxyInstance(
                    FaultyCandidate.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, args) -> {
                        if (method.getName().equals("prepareStatement")) {
                            runAndRollBack(db, work, text);
                        }
                        return method.invoke(connection, args);
                    });
            work.run(interrupted, text);
        });
    }

    /** {@code jdbc-1}, which sends another message in place of one. */
    static Candidate swapping(long replaced, long replacement) {
        return sending(
                "swapping-" + replaced,
                batch -> new CandidateAdapter.SendBatch(
                        batch.messages().stream()
                                .map(message ->
                                        message.id() == replaced ? BenchmarkMessage.of(replacement, 40) : message)
                                .toList(),
                        batch.business()));
    }

    /** {@code jdbc-1}, which sends the message without its business row. */
    static Candidate forgettingItsRow() {
        return sending(
                "forgetting-its-row",
                batch -> new CandidateAdapter.SendBatch(
                        batch.messages(),
                        batch.business() && batch.messages().get(0).id() != AFFECTED_MESSAGE));
    }

    /**
     * {@code acidq-1}. Messages 3 and 5 are dead-lettered and parked before they are done, messages 4 and 6 in addition to being done. In the end
     * markers hold the places of the dead letters.
     */
    static Candidate misfiling() {
        return wrapping("misfiling", "acidq-1", (original, db) -> new DelegatingAdapter(original) {
            @Override
            public void fill(Backlog backlog) throws Exception {
                super.fill(backlog);
                execute(
                        db,
                        TO_DEAD + messages("3, 4"),
                        TO_PARKED + messages("5, 6"),
                        "DELETE FROM acidq_message WHERE " + messages("3, 5"));
            }

            @Override
            public void stop() throws Exception {
                super.stop();
                execute(db, MARKER);
            }
        });
    }

    private static String messages(String ids) {
        return "SUBSTRING(payload, 2, 12) + 0 IN (" + ids + ")";
    }

    private static void execute(CandidateDatabase database, String... statements) throws Exception {
        try (Connection connection = database.login().connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** {@code acidq-1} by name, because its processes look it up; reports that no process has claimed a message. */
    static Candidate claimingNothing() {
        return wrapping("acidq-1", "acidq-1", (original, db) -> new DelegatingAdapter(original) {
            @Override
            public Map<Integer, Long> claims() {
                return Map.of();
            }
        });
    }

    /** {@code acidq-1}, which runs a check before its workers start. */
    static Candidate checkingItsStart(StartCheck startCheck) {
        return wrapping("watching-its-start", "acidq-1", (original, db) -> new DelegatingAdapter(original) {
            @Override
            public void start(int workers, HandlerWork handlerWork) throws Exception {
                startCheck.run();
                super.start(workers, handlerWork);
            }
        });
    }

    interface StartCheck {
        void run() throws Exception;
    }

    private static Candidate handling(String name, String original, Flaw flaw) {
        return wrapping(name, original, (adapter, db) -> new DelegatingAdapter(adapter) {
            @Override
            public void start(int workers, HandlerWork handlerWork) throws Exception {
                super.start(workers, new HandlerWork() {
                    @Override
                    public void run(Connection connection, String text) throws Exception {
                        if (BenchmarkMessage.idOf(text) == AFFECTED_MESSAGE) {
                            flaw.run(db, handlerWork, connection, text);
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
        });
    }

    private static Candidate sending(String name, UnaryOperator<CandidateAdapter.SendBatch> change) {
        return wrapping(name, "jdbc-1", (original, db) -> new DelegatingAdapter(original) {
            @Override
            public void send(SendBatch sendBatch) throws Exception {
                super.send(change.apply(sendBatch));
            }

            @Override
            public void fill(Backlog backlog) throws Exception {
                super.fill(new Backlog(
                        backlog.count(),
                        id -> change.apply(new SendBatch(backlog.part(id, 1), false))
                                .messages()
                                .get(0)));
            }
        });
    }

    private static Candidate wrapping(String name, String originalName, AdapterChange change) {
        Candidate original = CandidateSelection.of(List.of(), List.of(originalName))
                .candidates()
                .get(0);
        return new Candidate(
                name,
                CandidateKind.PEER,
                true,
                original.abilities(),
                original.tablePrefixes(),
                db -> change.apply(original.open(db), db));
    }

    private interface AdapterChange {
        CandidateAdapter apply(CandidateAdapter original, CandidateDatabase database) throws Exception;
    }

    private interface Flaw {
        void run(CandidateDatabase database, HandlerWork handlerWork, Connection connection, String text)
                throws Exception;
    }

    private static class DelegatingAdapter implements CandidateAdapter {
        private final CandidateAdapter original;

        DelegatingAdapter(CandidateAdapter original) {
            this.original = original;
        }

        @Override
        public void send(SendBatch sendBatch) throws Exception {
            original.send(sendBatch);
        }

        @Override
        public void fill(Backlog backlog) throws Exception {
            original.fill(backlog);
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) throws Exception {
            original.start(workers, handlerWork);
        }

        @Override
        public void stop() throws Exception {
            original.stop();
        }

        @Override
        public void forEachRemaining(LongConsumer ids) throws Exception {
            original.forEachRemaining(ids);
        }

        @Override
        public Map<String, Double> failures() {
            return original.failures();
        }

        @Override
        public void close() {
            original.close();
        }
    }
}
