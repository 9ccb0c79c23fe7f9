package io.acidq.examples.idempotent;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands for a broker's topic: whoever polls gets everything from the committed offset on, so again what he had before a crash. */
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
