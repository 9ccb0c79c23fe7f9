package io.acidq.engine.listener;

/** What was asked for of one listener, whether the engine runs or not. Thread-safe. */
public final class ListenerState {

    private volatile boolean wanted;
    private volatile boolean paused;

    public ListenerState(boolean wanted) {
        this.wanted = wanted;
    }

    /** Whether it is to run while the engine does. */
    public boolean isWanted() {
        return wanted;
    }

    public void setWanted(boolean value) {
        wanted = value;
    }

    /** Whether it may start nothing in this process. */
    public boolean isPaused() {
        return paused;
    }

    public void setPaused(boolean value) {
        paused = value;
    }
}
