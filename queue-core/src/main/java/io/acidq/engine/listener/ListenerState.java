package io.acidq.engine.listener;

/** The requested state of one listener, whether the engine runs or not. Thread-safe. */
public final class ListenerState {

    private volatile boolean wanted;
    private volatile boolean paused;

    public ListenerState(boolean wanted) {
        this.wanted = wanted;
    }

    /** Returns whether the listener runs while the engine does. */
    public boolean isWanted() {
        return wanted;
    }

    public void setWanted(boolean value) {
        wanted = value;
    }

    /** Returns whether the listener is paused in this process: it starts no message. */
    public boolean isPaused() {
        return paused;
    }

    public void setPaused(boolean value) {
        paused = value;
    }
}
