package io.acidq.testservers;

import java.util.List;

/** A server for one test, which can kill it. It ends at {@link #close}, or with this JVM. */
public final class PrivateServer implements AutoCloseable {
    private final RunningServer running;

    PrivateServer(RunningServer running) {
        this.running = running;
    }

    static PrivateServer start(ServerKind kind, List<String> extraOptions) {
        return new PrivateServer(ServerSource.start(kind, extraOptions));
    }

    public TestServer server() {
        return running.server();
    }

    /** Kills the server with SIGKILL. Committed data must exist after {@link #restart}. */
    public void kill() {
        running.kill();
    }

    /** Starts the killed server again on the same data, at the same address. */
    public void restart() {
        running.restart();
    }

    @Override
    public void close() {
        running.close();
    }
}
