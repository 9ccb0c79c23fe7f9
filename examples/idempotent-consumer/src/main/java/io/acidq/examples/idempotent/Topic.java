package io.acidq.examples.idempotent;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands for a broker's topic. A poll returns everything after the committed offset, so a consumer that crashed gets its events again. */
final class Topic {

    private final List<Paid> events = new CopyOnWriteArrayList<>();
    private int committed;

    void publish(Paid event) {
        events.add(event);
    }

    List<Paid> poll() {
        return events.subList(committed, events.size());
    }

    void commitOffset(int offset) {
        committed = offset;
    }
}
