package io.acidq.testservers;

/** A server for one test, which can kill it. It ends at {@link #close}, or with this JVM. */
public interface PrivateServer extends AutoCloseable {
    TestServer server();

    /** Kills the server with SIGKILL. Committed data must exist after {@link #restart}. */
    void kill();

    /** Starts the killed server again on the same data, at the same address. */
    void restart();

    /** Stops the server and deletes its data. */
    @Override
    void close();
}
