package io.acidq.doctor;

import io.acidq.AcidqException;
import io.acidq.TransientQueueException;
import io.acidq.store.CheckupStore.SessionLook;
import io.acidq.store.DatabaseError;
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
 * engine does at its start. Of a large table it reads a bounded part. Takes as long as {@link Premises#patience} when a node is silent, else
 * until every living node has beaten once.
 */
public final class Doctor {

    private final Store store;
    private final Supplier<Premises> premises;

    /** One that knows always the same. */
    public Doctor(Store store, Premises premises) {
        this(store, () -> premises);
    }

    /** One that asks at each examination, where an engine may have become another node. */
    public Doctor(Store store, Supplier<Premises> premises) {
        this.store = store;
        this.premises = premises;
    }

    /** Makes every check. Does not throw for what it finds, nor for what it may not look at. */
    public Report examine() {
        Premises given = premises.get();
        List<Finding> findings = new ArrayList<>();
        SessionLook session;
        try {
            session = store.checkup().session();
        } catch (AcidqException e) {
            return new Report(List.of(new Finding(
                    Check.CONNECTION,
                    Level.PROBLEM,
                    "the database does not answer: " + e.getMessage(),
                    "see that server, URL, account and network are right")));
        }
        new Notes(Check.CONNECTION, findings).ok(session.server() + ", by " + session.driver());
        Fleet fleet = new Fleet(store, given.patience());
        look(Check.SCHEMA, findings, new TableExamination(store));
        boolean tablesFit = findings.stream().noneMatch(f -> f.check() == Check.SCHEMA && f.level() == Level.PROBLEM);
        look(Check.ISOLATION, findings, new IsolationExamination(session));
        look(Check.LOCKS, findings, new LockExamination(store, given, tablesFit));
        look(Check.CLOCK, findings, new ClockExamination(session, given.clock().instant()));
        look(Check.SERVER, findings, notes -> server(given).look(notes));
        look(Check.DRIVER, findings, new DriverExamination(session));
        look(Check.TRANSACTIONS, findings, new TransactionExamination(store, given.longTransaction()));
        look(Check.NODES, findings, new NodeExamination(store, fleet));
        look(Check.LISTENERS, findings, new ListenerExamination(store, fleet));
        look(Check.POOL, findings, new PoolExamination(given, fleet));
        return new Report(findings);
    }

    private ServerExamination server(Premises given) {
        return new ServerExamination(store.checkup().settings(ServerExamination.names()), given.maxPayloadBytes());
    }

    private static void look(Check check, List<Finding> findings, Examination examination) {
        Notes notes = new Notes(check, findings);
        try {
            examination.look(notes);
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
