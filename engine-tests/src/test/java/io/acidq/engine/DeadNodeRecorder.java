package io.acidq.engine;

import io.acidq.telemetry.Telemetry;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Hears who is declared dead, and by whom. Thread-safe. */
class DeadNodeRecorder implements Telemetry {

    final Queue<String> declaredDead = new ConcurrentLinkedQueue<>();

    @Override
    public void declaredDead(int node) {
        declaredDead.add("buried " + node);
    }

    @Override
    public void nodeDeclaredDead(int node) {
        declaredDead.add("buried other " + node);
    }
}
