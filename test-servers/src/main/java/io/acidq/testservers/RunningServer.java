package io.acidq.testservers;

/** A server that we started, wherever its program came from. */
interface RunningServer extends AutoCloseable {
    TestServer server();

    /** Ends it as a power cut would. */
    void kill();

    /** Starts it again with the data it had, at the same address. */
    void restart();

    /** Ends it and deletes its data. */
    @Override
    void close();
}
