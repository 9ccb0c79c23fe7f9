package io.acidq.engine.work;

import io.acidq.BatchHandler;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.codec.Codec;
import io.acidq.config.Listener;
import io.acidq.config.Mode;
import io.acidq.config.Recovers;
import io.acidq.config.Together;
import io.acidq.engine.intercept.Interceptors;
import io.acidq.engine.intercept.Recovery;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Decodes the payloads of one listener and calls its handler. */
final class Call<T> {

    private static final String SAVEPOINT = "acidq_handler";

    private final Listener<T> listener;
    private final Store store;
    private final Codec codec;
    private final @Nullable Recovers<T> recovers;
    private final String handlerName;

    Call(Listener<T> listener, Store store, Codec codec) {
        this.listener = listener;
        this.store = store;
        this.codec = codec;
        this.recovers = recovers(listener);
        this.handlerName = "the handler of queue '" + listener.queue() + "' (" + innermost(listener) + ")";
    }

    private static Object innermost(Listener<?> listener) {
        return Interceptors.within(
                listener.handler() instanceof Together<?> together ? together.handler() : listener.handler());
    }

    @SuppressWarnings("unchecked") // of the handler's own type of payload
    private static <T> @Nullable Recovers<T> recovers(Listener<T> listener) {
        return innermost(listener) instanceof Recovers<?> recovers ? (Recovers<T>) recovers : null;
    }

    /** The message as the handler gets it. */
    BatchHandler.Item<T> item(ClaimedMessage message) {
        byte[] bytes = message.payload();
        if (bytes != null) {
            return item(message, bytes);
        }
        ClaimStore.Content content = store.claims().content(message.claim());
        if (content == null) {
            throw new ClaimLostException(RunDelivery.idOf(listener.queue(), message));
        }
        return item(message.with(content), content.payload());
    }

    private BatchHandler.Item<T> item(ClaimedMessage message, byte[] bytes) {
        T payload = codec.decode(new Codec.Encoded(message.type(), bytes), listener.payloadType());
        return new BatchHandler.Item<>(payload, RunDelivery.of(listener.queue(), message, store.claims()));
    }

    /** Calls the handler for one message, in the transaction on this thread if there is one. */
    Outcome one(Run run, ClaimedMessage message, BatchHandler.Item<T> item) throws Exception {
        begin(run, List.of(message));
        try {
            Outcome outcome = handle(item, recovers == null ? Recovery.NONE : recovery(run, item, recovers));
            if (outcome == null) {
                throw new QueueMisuseException("the handler of queue '" + listener.queue()
                        + "' returned null: return Outcome.done() when the work is done");
            }
            return outcome;
        } finally {
            run.callEnds();
        }
    }

    private Outcome handle(BatchHandler.Item<T> item, Recovery recovery) throws Exception {
        return Interceptors.call(listener.handler(), item.payload(), item.delivery(), new Recovery() {
            @Override
            public Outcome over(Attempt call) throws Exception {
                try {
                    return guarded(call::run);
                } catch (Exception e) {
                    return after(e);
                }
            }

            @Override
            public Outcome after(Exception thrown) throws Exception {
                return recovery == Recovery.NONE ? recovery.after(thrown) : guarded(() -> recovery.after(thrown));
            }
        });
    }

    /** The handler leaves the thread in the transaction in which it was called. */
    private <R> R guarded(Callable<R> call) throws Exception {
        return store.transactions().guard(handlerName, call);
    }

    private Recovery recovery(Run run, BatchHandler.Item<T> item, Recovers<T> handler) {
        Transactions.Mark before = listener.options().mode() == Mode.EXTERNAL
                ? null
                : store.transactions().mark(SAVEPOINT);
        return e -> {
            DatabaseError error = DatabaseError.of(e);
            if (run.isCutShort() || e instanceof InterruptedException || (error != null && error.isPassing())) {
                throw e; // no fault of the message
            }
            if (before != null) {
                before.undo(); // what the handler did by halves never commits
            }
            Outcome outcome = handler.afterFailure(item.payload(), item.delivery(), e);
            if (outcome == null) {
                throw e;
            }
            return outcome;
        };
    }

    /** Calls a batch handler for all. */
    List<Outcome> all(Run run, List<ClaimedMessage> messages, Together<T> handler, List<BatchHandler.Item<T>> items)
            throws Exception {
        begin(run, messages);
        try {
            return guarded(() -> handler.handleAll(items));
        } finally {
            run.callEnds();
        }
    }

    private void begin(Run run, List<ClaimedMessage> messages) {
        if (!run.mayCall()) {
            throw new ClaimLostException(RunDelivery.idOf(listener.queue(), messages.get(0)));
        }
        boolean external = listener.options().mode() == Mode.EXTERNAL;
        run.callBegins(messages, external ? null : store.transactions().breaker(), System.nanoTime());
    }
}
