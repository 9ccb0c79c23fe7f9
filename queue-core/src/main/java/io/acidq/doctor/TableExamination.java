package io.acidq.doctor;

import io.acidq.QueueMisuseException;
import io.acidq.store.Store;

/** The tables beside those that this AcidQ brings. */
record TableExamination(Store store) implements Examination {

    @Override
    public void look(Notes notes) {
        try {
            store.schema().check();
            notes.ok("the tables are those that this AcidQ needs");
        } catch (QueueMisuseException e) {
            String[] parts = e.problem().split("\nHow to mend it: ", 2);
            String within = parts.length == 2 ? parts[1] : "create or change the tables as the sentence before says";
            notes.problem(parts[0], e.action().orElse(within));
        }
    }
}
