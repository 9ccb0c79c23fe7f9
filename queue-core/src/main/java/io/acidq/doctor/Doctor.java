package io.acidq.doctor;

import io.acidq.AcidqException;
import io.acidq.TransientQueueException;
import io.acidq.store.DatabaseError;
import io.acidq.store.ServerStore.SessionInfo;
import io.acidq.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Examines a database and what stands around it: tables, isolation, locks, clock, server, driver, open transactions, nodes, listeners, pool.
 * Thread-safe.
 *
 * <p>Every check fails by itself, never the report: one that the account may not make says which privilege it lacks. Reads in short transactions of its own, apart
 * from any of the caller's; the one thing it writes is a row of its own in {@code acidq_lane}, which it removes, to try what locks do, as an
 * engine does at its start. Of a large table it reads a bounded part. Takes as long as {@link DoctorOptions#patience} when a node is silent, else
 * until every living node has written a heartbeat.
 */
public final class Doctor {

    private final Store store;
    private final Supplier<DoctorOptions> options;

    /** One that knows always the same. */
    public Doctor(Store store, DoctorOptions options) {
        this(store, () -> options);
    }

    /** One that asks at each examination, where an engine may have become another node. */
    public Doctor(Store store, Supplier<DoctorOptions> options) {
        this.store = store;
        this.options = options;
    }

    /** Makes every check. Does not throw for what it finds, nor for what it may not look at. */
    public Report examine() {
        DoctorOptions given = options.get();
        List<Finding> findings = new ArrayList<>();
        SessionInfo session;
        try {
            session = store.server().session();
        } catch (AcidqException e) {
            return new Report(List.of(new Finding(
                    Check.CONNECTION,
                    Level.PROBLEM,
                    "the database does not answer: " + e.getMessage(),
                    "see that server, URL, account and network are right")));
        }
        new FindingCollector(Check.CONNECTION, findings).ok(session.server() + ", by " + session.driver());
        NodeChecks.NodeSample fleet = new NodeChecks.NodeSample(store, given.patience());
        run(Check.SCHEMA, findings, new DatabaseChecks.Tables(store));
        boolean tablesFit = findings.stream().noneMatch(f -> f.check() == Check.SCHEMA && f.level() == Level.PROBLEM);
        run(Check.ISOLATION, findings, new DatabaseChecks.Isolation(session));
        run(Check.LOCKS, findings, new DatabaseChecks.Locks(store, given, tablesFit));
        run(
                Check.CLOCK,
                findings,
                new DatabaseChecks.ClockDifference(session, given.clock().instant()));
        run(Check.SERVER, findings, notes -> server(given).run(notes));
        run(Check.DRIVER, findings, new DriverOptionsCheck(session));
        run(Check.TRANSACTIONS, findings, new DatabaseChecks.LongTransactions(store, given.longTransaction()));
        run(Check.NODES, findings, new NodeChecks.Nodes(store, fleet));
        run(Check.LISTENERS, findings, new NodeChecks.Listeners(store, fleet));
        run(Check.POOL, findings, new NodeChecks.Pool(given, fleet));
        return new Report(findings);
    }

    private ServerSettingsCheck server(DoctorOptions given) {
        return new ServerSettingsCheck(store.server().settings(ServerSettingsCheck.names()), given.maxPayloadBytes());
    }

    private static void run(Check check, List<Finding> findings, DoctorCheck doctorCheck) {
        FindingCollector notes = new FindingCollector(check, findings);
        try {
            doctorCheck.run(notes);
        } catch (TransientQueueException e) {
            notes.warning(
                    "could not be looked at now: " + e.getMessage(),
                    DatabaseError.of(e) == DatabaseError.CONNECTION
                            ? "see that the pool and the server have a connection to spare, and ask again"
                            : "ask again");
        } catch (RuntimeException e) { // a check that fails must not take the others along
            notes.warning("could not be looked at: " + e.getMessage(), "mend that, and ask again");
        }
    }
}
