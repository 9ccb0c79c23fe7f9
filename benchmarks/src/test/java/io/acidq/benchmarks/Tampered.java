package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.Ability;
import io.acidq.benchmarks.candidate.Bench;
import io.acidq.benchmarks.candidate.Candidate;
import io.acidq.benchmarks.candidate.Kind;
import io.acidq.benchmarks.candidate.Parcel;
import io.acidq.benchmarks.candidate.Site;
import io.acidq.benchmarks.candidate.Stock;
import io.acidq.benchmarks.candidate.Work;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/** AcidQ, one per transaction, with somebody at its tables or at its start. */
record Tampered(String name, Opening opening) implements Candidate {

    private static final Candidate SOUND =
            Choice.of(List.of(), List.of("acidq-1")).candidates().get(0);

    private static final String SHARED =
            "queue, lane, uid, claim_no, attempts, deaths, enqueued_at, preexec_time, order_key,"
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
        return new Tampered("misfiling", site -> new Over(SOUND.open(site)) {
            @Override
            public void fill(Stock stock) throws Exception {
                super.fill(stock);
                execute(
                        site,
                        TO_DEAD + letters("3, 4"),
                        TO_PARKED + letters("5, 6"),
                        "DELETE FROM acidq_message WHERE " + letters("3, 5"));
            }

            @Override
            public void stop() throws Exception {
                super.stop();
                execute(site, MARKER);
            }
        });
    }

    private static String letters(String ids) {
        return "SUBSTRING(payload, 2, 12) + 0 IN (" + ids + ")";
    }

    private static void execute(Site site, String... statements) throws Exception {
        try (Connection connection = site.login().connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Under the name of the sound one, which its processes are; says that none of them holds a message. */
    static Candidate claimingNothing() {
        return new Tampered(SOUND.name(), site -> new Over(SOUND.open(site)) {
            @Override
            public Map<Integer, Long> claims() {
                return Map.of();
            }
        });
    }

    /** Has something looked at when its workers are about to start. */
    static Candidate watchingItsStart(Look look) {
        return new Tampered("watching-its-start", site -> new Over(SOUND.open(site)) {
            @Override
            public void start(int workers, Work work) throws Exception {
                look.look();
                super.start(workers, work);
            }
        });
    }

    /** What is looked at. */
    interface Look {
        void look() throws Exception;
    }

    /** Sets it up. */
    interface Opening {
        Bench open(Site site) throws Exception;
    }

    @Override
    public Kind kind() {
        return Kind.PEER;
    }

    @Override
    public boolean acknowledgesWithTheEffect() {
        return SOUND.acknowledgesWithTheEffect();
    }

    @Override
    public Set<Ability> abilities() {
        return SOUND.abilities();
    }

    @Override
    public List<String> tablePrefixes() {
        return SOUND.tablePrefixes();
    }

    @Override
    public Bench open(Site site) throws Exception {
        return opening.open(site);
    }

    private static class Over implements Bench {

        private final Bench sound;

        Over(Bench sound) {
            this.sound = sound;
        }

        @Override
        public void place(Parcel parcel) throws Exception {
            sound.place(parcel);
        }

        @Override
        public void fill(Stock stock) throws Exception {
            sound.fill(stock);
        }

        @Override
        public void start(int workers, Work work) throws Exception {
            sound.start(workers, work);
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
        public void close() {
            sound.close();
        }
    }
}
