package io.acidq.benchmarks.candidate;

import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** A candidate in the database of one run. Several threads call {@link #send} at once, also while workers run. */
public interface CandidateAdapter extends AutoCloseable {
    /** Messages per transaction when a backlog is filled. */
    int FILL_BATCH = 1000;

    /**
     * Sends a batch in one transaction, as the candidate's users would. Inserts the business rows, if wanted, before the messages.
     * Returns after the COMMIT.
     */
    void send(SendBatch sendBatch) throws Exception;

    /** From now on {@link #send} publishes each message to so many subscriptions, of which the first one counts as the queue. Called before the first message. */
    default void publishTo(int subscriptions) throws Exception {
        throw new UnsupportedOperationException("lacks " + Capability.TOPICS);
    }

    /** Fills a backlog. Not measured, and no workers run. */
    default void fill(Backlog backlog) throws Exception {
        for (long first = 0; first < backlog.count(); first += FILL_BATCH) {
            send(new SendBatch(backlog.part(first, FILL_BATCH), false));
        }
    }

    /** Adds archived, scheduled and dead messages after {@link #fill}. Not measured, and no workers run. */
    default void fillTables(TableFill tableFill) throws Exception {
        throw new UnsupportedOperationException("lacks " + Capability.FILLED_TABLES);
    }

    /** Starts the screens for operators, beside the workers if they run. */
    default OperatorScreens operatorScreens() {
        throw new UnsupportedOperationException("lacks " + Capability.OPERATOR_SCREENS);
    }

    /**
     * Starts the workers. Called once.
     *
     * @param workers     number of workers in all queues together; each queue gets at least one
     * @param handlerWork called by their handlers with each message
     */
    void start(int workers, HandlerWork handlerWork) throws Exception;

    /** Stops the workers. Running handlers finish and commit before this method returns. Called only after {@link #start}. */
    void stop() throws Exception;

    /** Passes on the id of each message that is still to be done, except those of {@link #fillTables}. Called while no workers run. */
    void forEachRemaining(LongConsumer ids) throws Exception;

    /** The number of this node among those that share a backlog, since the start; 0 for none. */
    default int node() {
        return 0;
    }

    /** The current number of claimed messages by node. A node without claims is missing. */
    default Map<Integer, Long> claims() throws Exception {
        throw new UnsupportedOperationException("lacks " + Capability.NODES);
    }

    /** The retried failures since the start, as figures of {@link RetriedFailures}; empty if the candidate does not count them. Called after the stop. */
    default Map<String, Double> failures() {
        return Map.of();
    }

    /** Releases everything but the tables. Pools of {@link CandidateDatabase#pool} close with the run. */
    @Override
    void close();

    /**
     * The messages of one transaction.
     *
     * @param business whether the transaction inserts a business row for each message ({@link BenchmarkTables#insertBusinessRows}) before it
     */
    record SendBatch(List<BenchmarkMessage> messages, boolean business) {
        public SendBatch {
            messages = List.copyOf(messages);
        }
    }

    /**
     * A backlog.
     *
     * @param count          number of messages
     * @param messageFactory creates the message of each id from 0 on; several threads may call it
     */
    record Backlog(long count, LongFunction<BenchmarkMessage> messageFactory) {
        /** The messages from {@code first} on, at most {@code limit}. */
        public List<BenchmarkMessage> part(long first, int limit) {
            return LongStream.range(first, Math.min(count, first + limit))
                    .mapToObj(messageFactory)
                    .toList();
        }
    }

    /**
     * Further rows, as a queue has them after long use.
     *
     * @param archived  messages that are done
     * @param scheduled messages that are due in a day
     * @param dead      dead letters
     */
    record TableFill(long archived, long scheduled, long dead) {}
}
