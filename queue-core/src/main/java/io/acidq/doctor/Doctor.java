package io.acidq.doctor;

import io.acidq.AcidqException;
import io.acidq.TransientQueueException;
import io.acidq.doctor.Report.Finding;
import io.acidq.doctor.Report.Finding.Level;
import io.acidq.store.DatabaseError;
import io.acidq.store.ServerStore.SessionInfo;
import io.acidq.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Examines a database and its surroundings: tables, isolation, locks, clock, server, driver, open transactions, nodes, listeners, recurring messages, pool. Thread-safe.
 *
 * <p>A check that fails does not stop the others; if the account lacks a privilege for it, the finding names the privilege. The doctor uses short
 * transactions of its own, independent of a transaction of the caller. It only reads, except for one row in {@code acidq_lane}, which it inserts and
 * removes to test the locks, as an engine does at its start. It reads a limited part of large tables. An examination takes until each living node has
 * written a heartbeat, at most {@link DoctorOptions#watchTime}.
 */
public final class Doctor {

    private final Store store;
    private final Supplier<DoctorOptions> options;

    public Doctor(Store store, DoctorOptions options) {
        this(store, () -> options);
    }

    /** A doctor that asks for the options at each examination, because the engine may have become another node. */
    public Doctor(Store store, Supplier<DoctorOptions> options) {
        this.store = store;
        this.options = options;
    }

    /** Makes all checks. Throws no exception because of what it finds or may not read. */
    public Report examine() {
        DoctorOptions current = options.get();
        List<Finding> findings = new ArrayList<>();
        FindingCollector connection = new FindingCollector(Check.CONNECTION, findings);
        SessionInfo session;
        try {
            session = store.server().session();
        } catch (AcidqException e) {
            connection.problem(
                    "the database does not answer: " + e.getMessage(),
                    "check that the server runs and that URL, account and network are right");
            return new Report(findings);
        }
        connection.ok(session.server() + ", by " + session.driver());
        run(Check.SCHEMA, findings, f -> DatabaseChecks.tables(store, f));
        boolean tablesFit = findings.stream().noneMatch(f -> f.check() == Check.SCHEMA && f.level() == Level.PROBLEM);
        run(Check.ISOLATION, findings, f -> DatabaseChecks.isolation(session, f));
        run(Check.LOCKS, findings, f -> DatabaseChecks.locks(store, current, tablesFit, f));
        run(
                Check.CLOCK,
                findings,
                f -> DatabaseChecks.clock(session, current.clock().instant(), f));
        run(
                Check.SERVER,
                findings,
                f -> ServerSettingsCheck.run(
                        store.server().settings(ServerSettingsCheck.names()), current.maxPayloadBytes(), f));
        run(Check.DRIVER, findings, f -> DriverOptionsCheck.run(session.url(), f));
        run(Check.TRANSACTIONS, findings, f -> DatabaseChecks.longTransactions(store, current.longTransaction(), f));
        NodeChecks nodes = new NodeChecks(store, current);
        run(Check.NODES, findings, nodes::nodes);
        run(Check.LISTENERS, findings, nodes::listeners);
        run(Check.RECURRING, findings, f -> DatabaseChecks.recurringMessages(store, f));
        run(Check.POOL, findings, nodes::pool);
        return new Report(findings);
    }

    private static void run(Check check, List<Finding> findings, Consumer<FindingCollector> body) {
        FindingCollector collector = new FindingCollector(check, findings);
        try {
            body.accept(collector);
        } catch (TransientQueueException e) {
            collector.warning(
                    "could not be checked now: " + e.getMessage(),
                    DatabaseError.of(e) == DatabaseError.CONNECTION
                            ? "check that the pool and the server have a free connection, then run the doctor again"
                            : "run the doctor again");
        } catch (RuntimeException e) { // a check that fails must not stop the others
            collector.warning(
                    "could not be checked: " + e.getMessage(), "repair this first, then run the doctor again");
        }
    }

    /** Collects the findings of one check. */
    record FindingCollector(Check check, List<Finding> findings) {

        void ok(String found) {
            findings.add(new Finding(check, Level.OK, found, ""));
        }

        void warning(String found, String advice) {
            findings.add(new Finding(check, Level.WARNING, found, advice));
        }

        void problem(String found, String advice) {
            findings.add(new Finding(check, Level.PROBLEM, found, advice));
        }

        /** Adds a finding of level OK if the check has no other finding. */
        void okIfNothing(String found) {
            if (findings.stream().noneMatch(f -> f.check() == check)) {
                ok(found);
            }
        }
    }
}
