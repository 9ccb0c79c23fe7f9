package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Backlog;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.CandidateAdapter;
import io.acidq.benchmarks.candidate.CandidateDatabase;
import io.acidq.benchmarks.candidate.CandidateKind;
import io.acidq.benchmarks.candidate.Capability;
import io.acidq.benchmarks.candidate.HandlerWork;
import io.acidq.benchmarks.candidate.SendBatch;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/** AcidQ, one per transaction, with somebody at its tables or at its start. */
record ManipulatedAcidQ(String name, AdapterFactory opening) implements Candidate {

    private static final Candidate SOUND =
            CandidateSelection.of(List.of(), List.of("acidq-1")).candidates().get(0);

    private static final String SHARED =
            "queue, lane, uid, claim_no, attempts, crashes, enqueued_at, preexec_time, order_key,"
                    + " type, headers, size, payload";
    private static final String TO_DEAD = "INSERT INTO acidq_dead (died_at, mark, fingerprint, " + SHARED
            + ") SELECT UTC_TIMESTAMP(6), 'no', REPEAT('x', 8), " + SHARED + " FROM acidq_message WHERE ";
    private static final String TO_PARKED =
            "INSERT INTO acidq_parked (id, " + SHARED + ") SELECT id, " + SHARED + " FROM acidq_message WHERE ";
    private static final String MARKER = "INSERT INTO acidq_message (queue, lane, uid, kind, enqueued_at, preexec_time,"
            + " order_key, type, headers, size, payload) SELECT queue, lane, uid, 1, enqueued_at, preexec_time, 'k', type,"
            + " X'', 0, X'' FROM acidq_dead";

    /**
     * Letters 3 and 5 are dead and set aside before they are done, and letters 4 and 6 are so besides being done; the place of the dead is held by
     * markers in the end.
     */
    static Candidate misfiling() {
        return new ManipulatedAcidQ(
                "misfiling", candidateDatabase -> new DelegatingAdapter(SOUND.open(candidateDatabase)) {
                    @Override
                    public void fill(Backlog backlog) throws Exception {
                        super.fill(backlog);
                        execute(
                                candidateDatabase,
                                TO_DEAD + letters("3, 4"),
                                TO_PARKED + letters("5, 6"),
                                "DELETE FROM acidq_message WHERE " + letters("3, 5"));
                    }

                    @Override
                    public void stop() throws Exception {
                        super.stop();
                        execute(candidateDatabase, MARKER);
                    }
                });
    }

    private static String letters(String ids) {
        return "SUBSTRING(payload, 2, 12) + 0 IN (" + ids + ")";
    }

    private static void execute(CandidateDatabase candidateDatabase, String... statements) throws Exception {
        try (Connection connection = candidateDatabase.login().connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Under the name of the sound one, which its processes are; says that none of them holds a message. */
    static Candidate claimingNothing() {
        return new ManipulatedAcidQ(
                SOUND.name(), candidateDatabase -> new DelegatingAdapter(SOUND.open(candidateDatabase)) {
                    @Override
                    public Map<Integer, Long> claims() {
                        return Map.of();
                    }
                });
    }

    /** Has something looked at when its workers are about to start. */
    static Candidate checkingItsStart(StartCheck startCheck) {
        return new ManipulatedAcidQ(
                "watching-its-start", candidateDatabase -> new DelegatingAdapter(SOUND.open(candidateDatabase)) {
                    @Override
                    public void start(int workers, HandlerWork handlerWork) throws Exception {
                        startCheck.look();
                        super.start(workers, handlerWork);
                    }
                });
    }

    /** What is looked at. */
    interface StartCheck {
        void look() throws Exception;
    }

    /** Sets it up. */
    interface AdapterFactory {
        CandidateAdapter open(CandidateDatabase candidateDatabase) throws Exception;
    }

    @Override
    public CandidateKind kind() {
        return CandidateKind.PEER;
    }

    @Override
    public boolean acknowledgesWithTheEffect() {
        return SOUND.acknowledgesWithTheEffect();
    }

    @Override
    public Set<Capability> abilities() {
        return SOUND.abilities();
    }

    @Override
    public List<String> tablePrefixes() {
        return SOUND.tablePrefixes();
    }

    @Override
    public CandidateAdapter open(CandidateDatabase candidateDatabase) throws Exception {
        return opening.open(candidateDatabase);
    }

    private static class DelegatingAdapter implements CandidateAdapter {

        private final CandidateAdapter sound;

        DelegatingAdapter(CandidateAdapter sound) {
            this.sound = sound;
        }

        @Override
        public void send(SendBatch sendBatch) throws Exception {
            sound.send(sendBatch);
        }

        @Override
        public void fill(Backlog backlog) throws Exception {
            sound.fill(backlog);
        }

        @Override
        public void start(int workers, HandlerWork handlerWork) throws Exception {
            sound.start(workers, handlerWork);
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
        public void close() {
            sound.close();
        }
    }
}
