package io.acidq.engine.listener;

/** The requested state of one listener, whether the engine runs or not. Thread-safe. */
public final class ListenerState {

    private volatile boolean shouldRun;
    private volatile boolean paused;

    public ListenerState(boolean shouldRun) {
        this.shouldRun = shouldRun;
    }

    /** Returns whether the listener is to run while the engine runs. */
    public boolean shouldRun() {
        return shouldRun;
    }

    public void setShouldRun(boolean value) {
        shouldRun = value;
    }

    /** Returns whether the listener is paused in this process: it starts no message. */
    public boolean isPaused() {
        return paused;
    }

    public void setPaused(boolean value) {
        paused = value;
    }
}
