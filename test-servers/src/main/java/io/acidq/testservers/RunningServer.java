package io.acidq.testservers;

/** A server that this module started. */
interface RunningServer extends AutoCloseable {
    TestServer server();

    /** Kills the server. */
    void kill();

    /** Starts the server again with the same data and address. */
    void restart();

    /** Stops the server and deletes its data. */
    @Override
    void close();
}
