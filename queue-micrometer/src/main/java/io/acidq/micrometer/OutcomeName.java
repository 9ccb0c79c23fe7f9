package io.acidq.micrometer;

import io.acidq.Outcome;
import java.time.Duration;
import java.util.List;

/** The names of outcomes in tags and keys. */
enum OutcomeName implements Outcome.Cases<String> {
    CASES;

    static final List<String> ALL = List.of("done", "retry", "snooze", "cancelled", "dead");

    static String of(Outcome outcome) {
        return outcome.match(CASES);
    }

    @Override
    public String done() {
        return "done";
    }

    @Override
    public String retry(Duration delay, String error) {
        return "retry";
    }

    @Override
    public String snooze(Duration delay, String reason) {
        return "snooze";
    }

    @Override
    public String cancelled(String reason) {
        return "cancelled";
    }

    @Override
    public String dead(String error) {
        return "dead";
    }
}
