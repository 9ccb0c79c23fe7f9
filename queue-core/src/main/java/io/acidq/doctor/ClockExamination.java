package io.acidq.doctor;

import io.acidq.store.CheckupStore.SessionLook;
import java.time.Duration;
import java.time.Instant;

/** The server's clock beside this process'. */
record ClockExamination(SessionLook session, Instant here) implements Examination {

    private static final Duration MOST = Duration.ofSeconds(5);

    @Override
    public void look(Notes notes) {
        Duration apart = Duration.between(session.now(), here).abs();
        String zone = "; the session's time zone is " + session.timeZone() + ", and AcidQ keeps UTC";
        if (apart.compareTo(MOST) <= 0) {
            notes.ok("the server's clock and this process' are " + apart.toMillis() + " ms apart" + zone);
        } else {
            notes.warning(
                    "the server's clock says " + session.now() + ", this process' " + here + ", " + apart.toSeconds()
                            + " s apart" + zone,
                    "AcidQ goes by the server's clock alone; due times that your code computes by Instant.now() are off by as much:"
                            + " synchronize both clocks");
        }
    }
}
