package io.acidq.doctor;

import io.acidq.store.CheckupStore.SessionLook;

/** The level at which claims run. That READ COMMITTED also means what it says is tried by {@link LockExamination}. */
record IsolationExamination(SessionLook session) implements Examination {

    @Override
    public void look(Notes notes) {
        String level = session.isolation().replace('-', ' ');
        if (level.equals("READ COMMITTED")) {
            notes.ok("claims run at READ COMMITTED");
        } else {
            notes.problem(
                    "claims run at " + level + ", though AcidQ has asked for READ COMMITTED",
                    "something between AcidQ and the server changes the level: a pool that refuses setTransactionIsolation, a proxy, or"
                            + " an option of the driver; remove it");
        }
    }
}
