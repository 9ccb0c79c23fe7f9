package io.acidq.doctor;

import io.acidq.Plural;
import io.acidq.QueueMisuseException;
import io.acidq.doctor.Doctor.FindingCollector;
import io.acidq.store.RecurringStore.NextDue;
import io.acidq.store.ServerStore.Locking;
import io.acidq.store.ServerStore.OpenTransaction;
import io.acidq.store.ServerStore.SessionInfo;
import io.acidq.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The checks of the database itself: tables, isolation level, locks, clock, open transactions. */
final class DatabaseChecks {

    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(5);

    private static final Duration LATE_TICK = Duration.ofMinutes(1);
    private static final int MAX_RECURRING = 5;
    private static final int MAX_TRANSACTIONS = 10;

    private DatabaseChecks() {}

    /** Compares the tables with those that this version of AcidQ needs. */
    static void tables(Store store, FindingCollector findings) {
        try {
            store.server().checkTables();
            findings.ok("the tables are those that this version of AcidQ needs");
        } catch (QueueMisuseException e) {
            String[] parts = e.problem().split("\nHow to \\w+ it: ", 2);
            findings.problem(
                    parts[0],
                    e.action().orElse(parts.length == 2 ? parts[1] : "create or change the tables as described"));
        }
    }

    /** Checks the isolation level of claims. Whether the server keeps to READ COMMITTED is checked by {@link #locks}. */
    static void isolation(SessionInfo session, FindingCollector findings) {
        String level = session.isolation().replace('-', ' ');
        if (level.equals("READ COMMITTED")) {
            findings.ok("claims run at READ COMMITTED");
        } else {
            findings.problem(
                    "claims run at " + level
                            + " although AcidQ sets READ COMMITTED: a pool that ignores setTransactionIsolation, a proxy or an option of"
                            + " the driver changes the level",
                    "remove what changes the level");
        }
    }

    /**
     * Tests how the server locks rows, with two connections and one row.
     *
     * @param tablesFit whether the tables that the test uses are as they should be
     */
    static void locks(Store store, DoctorOptions options, boolean tablesFit, FindingCollector findings) {
        if (options.poolSize().orElse(2) < 2) {
            findings.warning(
                    "the locks could not be checked: this needs two connections at the same time, and the pool has one",
                    "enlarge the pool; an engine needs more connections in any case");
            return;
        }
        Locking locking;
        try {
            locking = store.server().probeLocking();
        } catch (QueueMisuseException e) {
            findings.warning(
                    "the locks could not be checked: " + e.getMessage(),
                    tablesFit
                            ? "use an account that may run listeners: GRANT SELECT, INSERT, UPDATE, DELETE ON acidq_lane, as"
                                    + " Schema.grants does for a worker"
                            : "repair the tables first, then run the doctor again");
            return;
        }
        if (locking.isSound()) {
            findings.ok("the server " + locking.description() + ", and READ COMMITTED shows what was committed");
        } else if (locking.locksRows()) {
            findings.warning(
                    "the server " + locking.description()
                            + ": messages are processed in order, but claims wait for each other",
                    "use a server with SKIP LOCKED if claims are too slow; see docs/en/sql.md");
        } else {
            findings.problem(
                    "the server " + locking.description() + ": messages with ordering keys are refused",
                    "set another claim strategy for queues without ordering keys; see docs/en/sql.md");
        }
    }

    /** Compares the clock of the server with the clock of this process. */
    static void clock(SessionInfo session, Instant here, FindingCollector findings) {
        Duration difference = Duration.between(session.now(), here).abs();
        String zone = "; the session's time zone is " + session.timeZone() + ", and AcidQ stores UTC";
        if (difference.compareTo(MAX_CLOCK_DIFFERENCE) <= 0) {
            findings.ok(
                    "the clocks of the server and of this process are " + difference.toMillis() + " ms apart" + zone);
        } else {
            findings.warning(
                    "the server's clock is at " + session.now() + " and the clock of this process at " + here + ", "
                            + difference.toSeconds() + " s apart" + zone
                            + "; AcidQ uses the server's clock only, so due times that your code computes with Instant.now() are wrong by"
                            + " this time",
                    "synchronize both clocks");
        }
    }

    /** Finds transactions that have been open for long. They hold locks, and the server keeps each row that was deleted since, which claims must skip. */
    static void longTransactions(Store store, Duration longerThan, FindingCollector findings) {
        List<OpenTransaction> open;
        try {
            open = store.server().openTransactions(longerThan, MAX_TRANSACTIONS);
        } catch (QueueMisuseException e) {
            findings.warning(
                    "open transactions could not be checked: " + e.getMessage(),
                    "let an administrator check them, or GRANT PROCESS ON *.* TO this account; AcidQ itself does not need it");
            return;
        }
        open.forEach(t -> findings.warning(
                "connection " + t.connection() + " has a transaction open for "
                        + t.age().toSeconds() + " s, with about " + Plural.of(t.rowsLocked(), "row") + " locked and "
                        + t.rowsModified()
                        + " changed: it keeps its locks, and claims read over every row that was deleted since it began",
                "find out what it waits for (SHOW PROCESSLIST), or end it with KILL " + t.connection()));
        findings.okIfNothing("no transaction has been open for more than " + longerThan.toSeconds() + " s");
    }

    /** Finds recurring messages whose ticks no engine enqueues. A running engine enqueues a tick within about a second. */
    static void recurringMessages(Store store, FindingCollector findings) {
        NextDue next = store.recurring().nextDue(Set.of());
        Duration late = next == null ? Duration.ZERO : Duration.between(next.at(), next.now());
        if (late.compareTo(LATE_TICK) > 0) {
            String names = store.recurring().due(MAX_RECURRING).stream()
                    .map(due -> "'" + due.name() + "'")
                    .collect(Collectors.joining(", "));
            findings.problem(
                    "the message of a tick was due " + late.toSeconds() + " s ago and is not enqueued; due are "
                            + names,
                    "start an engine: each started engine enqueues ticks; if one runs, its log says why it cannot, or pause the recurring message");
        }
        findings.okIfNothing(next == null ? "no recurring message has a next tick" : "no tick is late");
    }
}
