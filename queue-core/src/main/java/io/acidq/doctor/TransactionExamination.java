package io.acidq.doctor;

import io.acidq.QueueMisuseException;
import io.acidq.store.CheckupStore.OpenTransaction;
import io.acidq.store.Store;
import java.time.Duration;
import java.util.List;

/** Transactions that have been open for long: they hold locks, and keep the server from forgetting deleted rows, which every claim then passes over. */
record TransactionExamination(Store store, Duration longerThan) implements Examination {

    private static final int MOST = 10;
    private static final String GRANT =
            "an administrator can look, or GRANT PROCESS ON *.* TO this account; AcidQ does without";

    @Override
    public void look(Notes notes) {
        List<OpenTransaction> open;
        try {
            open = store.checkup().openTransactions(longerThan, MOST);
        } catch (QueueMisuseException e) {
            notes.warning("could not be looked at: " + e.getMessage(), GRANT);
            return;
        }
        open.forEach(t -> notes.warning(
                "connection " + t.connection() + " has a transaction open for "
                        + t.age().toSeconds() + " s, with about " + t.rowsLocked() + " rows locked and "
                        + t.rowsModified() + " changed",
                "find out what it waits for (SHOW PROCESSLIST); it holds its locks, and claims pass over every row that was deleted since it began;"
                        + " KILL " + t.connection() + " ends it"));
        notes.okIfNothing("no transaction has been open for more than " + longerThan.toSeconds() + " s");
    }
}
