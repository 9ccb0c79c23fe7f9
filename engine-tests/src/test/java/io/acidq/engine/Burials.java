package io.acidq.engine;

import io.acidq.telemetry.Telemetry;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Hears who is declared dead, and by whom. Thread-safe. */
class Burials implements Telemetry {

    final Queue<String> burials = new ConcurrentLinkedQueue<>();

    @Override
    public void buried(int node) {
        burials.add("buried " + node);
    }

    @Override
    public void buriedOther(int node) {
        burials.add("buried other " + node);
    }
}
