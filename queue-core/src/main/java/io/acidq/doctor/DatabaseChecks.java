package io.acidq.doctor;

import io.acidq.QueueMisuseException;
import io.acidq.store.Locking;
import io.acidq.store.ServerStore.OpenTransaction;
import io.acidq.store.ServerStore.SessionInfo;
import io.acidq.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What is examined of the database itself: tables, isolation level, locks, clock, open transactions. */
final class DatabaseChecks {

    private DatabaseChecks() {}

    /** The tables beside those that this AcidQ brings. */
    record Tables(Store store) implements DoctorCheck {

        @Override
        public void run(FindingCollector findings) {
            try {
                store.server().checkTables();
                findings.ok("the tables are those that this AcidQ needs");
            } catch (QueueMisuseException e) {
                String[] parts = e.problem().split("\nHow to repair it: ", 2);
                String within =
                        parts.length == 2 ? parts[1] : "create or change the tables as the sentence before says";
                findings.problem(parts[0], e.action().orElse(within));
            }
        }
    }

    /** The level at which claims run. That READ COMMITTED also means what it says is tried by {@link Locks}. */
    record Isolation(SessionInfo session) implements DoctorCheck {

        @Override
        public void run(FindingCollector findings) {
            String level = session.isolation().replace('-', ' ');
            if (level.equals("READ COMMITTED")) {
                findings.ok("claims run at READ COMMITTED");
            } else {
                findings.problem(
                        "claims run at " + level + ", though AcidQ has asked for READ COMMITTED",
                        "something between AcidQ and the server changes the level: a pool that refuses setTransactionIsolation, a proxy, or"
                                + " an option of the driver; remove it");
            }
        }
    }

    /**
     * What the server does with locks, by trying.
     *
     * @param tablesFit whether the tables, which it is tried with, are there
     */
    record Locks(Store store, DoctorOptions options, boolean tablesFit) implements DoctorCheck {

        /** One transaction holds a row while another looks for it. */
        private static final int NEEDED = 2;

        private static final String GRANT =
                "an account that listens may try it: GRANT SELECT, INSERT, UPDATE, DELETE ON acidq_lane, as Schema.grants does for a worker";

        @Override
        public void run(FindingCollector findings) {
            if (options.poolSize().orElse(NEEDED) < NEEDED) {
                findings.warning(
                        "could not be tried: that takes two connections at once, and the pool has one",
                        "enlarge the pool: an engine needs more in any case");
                return;
            }
            Locking locking;
            try {
                locking = store.server().probeLocking();
            } catch (QueueMisuseException e) {
                findings.warning(
                        "could not be tried: " + e.getMessage(),
                        tablesFit ? GRANT : "mend the tables first, and ask again");
                return;
            }
            if (locking.isSound()) {
                findings.ok("the server " + locking.description() + ", and READ COMMITTED sees what was committed");
            } else if (locking.locksRows()) {
                findings.warning(
                        "the server " + locking.description(),
                        "messages are kept in order, claims wait for each other; see docs/en/sql.md");
            } else {
                findings.problem(
                        "the server " + locking.description(),
                        "messages with ordering keys are refused here; set another claim strategy for the others: see docs/en/sql.md");
            }
        }
    }

    /** The server's clock beside this process'. */
    record ClockDifference(SessionInfo session, Instant here) implements DoctorCheck {

        private static final Duration MOST = Duration.ofSeconds(5);

        @Override
        public void run(FindingCollector findings) {
            Duration apart = Duration.between(session.now(), here).abs();
            String zone = "; the session's time zone is " + session.timeZone() + ", and AcidQ keeps UTC";
            if (apart.compareTo(MOST) <= 0) {
                findings.ok("the server's clock and this process' are " + apart.toMillis() + " ms apart" + zone);
            } else {
                findings.warning(
                        "the server's clock says " + session.now() + ", this process' " + here + ", "
                                + apart.toSeconds() + " s apart" + zone,
                        "AcidQ goes by the server's clock alone; due times that your code computes by Instant.now() are off by as much:"
                                + " synchronize both clocks");
            }
        }
    }

    /** Transactions that have been open for long: they hold locks, and keep the server from forgetting deleted rows, which every claim then passes over. */
    record LongTransactions(Store store, Duration longerThan) implements DoctorCheck {

        private static final int MOST = 10;
        private static final String GRANT =
                "an administrator can look, or GRANT PROCESS ON *.* TO this account; AcidQ does without";

        @Override
        public void run(FindingCollector findings) {
            List<OpenTransaction> open;
            try {
                open = store.server().openTransactions(longerThan, MOST);
            } catch (QueueMisuseException e) {
                findings.warning("could not be looked at: " + e.getMessage(), GRANT);
                return;
            }
            open.forEach(t -> findings.warning(
                    "connection " + t.connection() + " has a transaction open for "
                            + t.age().toSeconds() + " s, with about " + t.rowsLocked() + " rows locked and "
                            + t.rowsModified() + " changed",
                    "find out what it waits for (SHOW PROCESSLIST); it holds its locks, and claims pass over every row that was deleted since it began;"
                            + " KILL " + t.connection() + " ends it"));
            findings.okIfNothing("no transaction has been open for more than " + longerThan.toSeconds() + " s");
        }
    }
}
