package io.acidq.doctor;

import io.acidq.QueueMisuseException;
import io.acidq.store.Locking;
import io.acidq.store.Store;

/**
 * What the server does with locks, by trying.
 *
 * @param tablesFit whether the tables, which it is tried with, are there
 */
record LockExamination(Store store, Premises premises, boolean tablesFit) implements Examination {

    /** One transaction holds a row while another looks for it. */
    private static final int NEEDED = 2;

    private static final String GRANT =
            "an account that listens may try it: GRANT SELECT, INSERT, UPDATE, DELETE ON acidq_lane, as Schema.grants does for a worker";

    @Override
    public void look(Notes notes) {
        if (premises.poolSize().orElse(NEEDED) < NEEDED) {
            notes.warning(
                    "could not be tried: that takes two connections at once, and the pool has one",
                    "enlarge the pool: an engine needs more in any case");
            return;
        }
        Locking locking;
        try {
            locking = store.claims().probeLocking();
        } catch (QueueMisuseException e) {
            notes.warning(
                    "could not be tried: " + e.getMessage(),
                    tablesFit ? GRANT : "mend the tables first, and ask again");
            return;
        }
        if (locking.isSound()) {
            notes.ok("the server " + locking.words() + ", and READ COMMITTED sees what was committed");
        } else if (locking.locks()) {
            notes.warning(
                    "the server " + locking.words(),
                    "messages are kept in order, claims wait for each other; see docs/en/claim-strategies.md");
        } else {
            notes.problem(
                    "the server " + locking.words(),
                    "messages with ordering keys are refused here; set another claim strategy for the others: see docs/en/claim-strategies.md");
        }
    }
}
