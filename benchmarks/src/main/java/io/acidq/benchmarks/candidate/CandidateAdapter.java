package io.acidq.benchmarks.candidate;

import java.util.Map;
import java.util.function.LongConsumer;

/** A candidate set up in the database of one run. {@link #send} is called by several threads at once, also while workers run. */
public interface CandidateAdapter extends AutoCloseable {

    /**
     * Sends a parcel in ONE transaction, begun and committed here as its users would: a message for each letter and, if wanted, a business
     * row before it. Returns after the COMMIT.
     */
    void send(SendBatch sendBatch) throws Exception;

    /** Builds a backlog by whatever means are quick. Not measured; no workers run. */
    void fill(Backlog backlog) throws Exception;

    /** Builds what lies about besides the backlog, after {@link #fill}. Not measured; no workers run. */
    default void fillTables(TableFill tableFill) throws Exception {
        throw new UnsupportedOperationException("lacks " + Capability.FILLED_TABLES);
    }

    /**
     * Starts so many workers in all, or one for each queue if that is more. Called once.
     *
     * @param handlerWork what their handlers do with each message
     */
    void start(int workers, HandlerWork handlerWork) throws Exception;

    /** Stops the workers in good order: what a handler has begun is finished and committed when this returns. Not called without a start. */
    void stop() throws Exception;

    /**
     * Names each message that is there and has not been done, by the id of its letter; those of {@link #fillTables} excepted. Asked while no
     * workers run.
     */
    void forEachRemaining(LongConsumer letters) throws Exception;

    /** The number of this process among those that work off one backlog, since the start; 0 for none. */
    default int node() {
        throw new UnsupportedOperationException("lacks " + Capability.NODES);
    }

    /** How many messages each of those processes has claimed at the moment, by its number; who has none is missing. */
    default Map<Integer, Long> claims() throws Exception {
        throw new UnsupportedOperationException("lacks " + Capability.NODES);
    }

    /** What has failed since the start and was, or is to be, tried again: figures of {@link Failures}; none where nobody counts. Asked after the stop. */
    default Map<String, Double> failures() {
        return Map.of();
    }

    /** Ends everything that was begun; the tables stay, and connections of {@link CandidateDatabase#pool} close by themselves. */
    @Override
    void close();
}
