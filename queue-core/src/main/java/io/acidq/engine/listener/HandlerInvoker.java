package io.acidq.engine.listener;

import io.acidq.BatchHandler.Item;
import io.acidq.Delivery;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.codec.Codec;
import io.acidq.codec.Headers;
import io.acidq.config.HandlerErrorHandler;
import io.acidq.config.HandlerMode;
import io.acidq.config.Listener;
import io.acidq.config.Listener.BatchHandlerAdapter;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.engine.listener.OutcomeRecorder.ClaimLostException;
import io.acidq.engine.node.NodeContext.CancelRequests;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.store.Transactions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The invoker of one listener's handler. It decodes the payload, calls the handler between the interceptors, protects
 * the transaction against a handler that leaves one of its own open, and asks the listener's error handler after a
 * failure. Thread-safe.
 */
public final class HandlerInvoker<T> {

    private static final String SAVEPOINT = "acidq_handler";

    private final Listener<T> listener;
    private final ClaimStore claims;
    private final Transactions transactions;
    private final Codec codec;
    private final InterceptorChain interceptors;
    private final CancelRequests cancelRequests;
    private final boolean external;
    private final @Nullable HandlerErrorHandler<T> errorHandler;
    private final String handlerName;
    private final String interceptedHandlerName;

    public HandlerInvoker(
            Listener<T> listener,
            ClaimStore claims,
            Transactions transactions,
            Codec codec,
            InterceptorChain interceptors,
            CancelRequests cancelRequests) {
        this.listener = listener;
        this.claims = claims;
        this.transactions = transactions;
        this.codec = codec;
        this.interceptors = interceptors;
        this.cancelRequests = cancelRequests;
        this.external = listener.options().mode() == HandlerMode.EXTERNAL;
        this.errorHandler = errorHandler(given(listener));
        this.handlerName = handlerName(listener);
        this.interceptedHandlerName = "an interceptor of " + handlerName;
    }

    /** Returns the name of a listener's handler for messages: its queue, and the text of its object. */
    static String handlerName(Listener<?> listener) {
        Object given = given(listener);
        String text;
        try {
            text = String.valueOf(given);
        } catch (Throwable e) { // also an Error: a broken text does not prevent the start
            text = given.getClass().getName() + ", whose toString throws "
                    + e.getClass().getName();
        }
        return "the handler of queue '" + listener.queue() + "' (" + text + ")";
    }

    private static Object given(Listener<?> listener) {
        return listener.handler() instanceof BatchHandlerAdapter<?> batchHandlerAdapter
                ? batchHandlerAdapter.handler()
                : listener.handler();
    }

    @SuppressWarnings("unchecked") // it handles the same type of payload as the handler
    private static <T> @Nullable HandlerErrorHandler<T> errorHandler(Object handler) {
        return handler instanceof HandlerErrorHandler<?> handlerErrorHandler
                ? (HandlerErrorHandler<T>) handlerErrorHandler
                : null;
    }

    Listener<T> listener() {
        return listener;
    }

    Codec codec() {
        return codec;
    }

    /**
     * Decodes a message for the handler. Reads its payload from the database if the claim has not.
     *
     * @throws io.acidq.codec.UndecodableException when the payload cannot be decoded
     * @throws ClaimLostException when the payload had to be read and the claim was lost
     */
    Item<T> decode(ClaimedMessage message) {
        ClaimedMessage read = message;
        byte[] payload = message.payload();
        if (payload == null) {
            ClaimStore.Content content = claims.content(message.claim());
            if (content == null) {
                throw new ClaimLostException(message.id(listener.queue()));
            }
            read = message.withContent(content);
            payload = content.payload();
        }
        T decoded = codec.decode(new Codec.Encoded(message.type(), payload), listener.payloadType());
        return new Item<>(
                decoded,
                new ClaimedDelivery(
                        read.id(listener.queue()), read, Headers.decode(read.headers()), claims, cancelRequests));
    }

    /**
     * Calls the handler for one message, in the transaction on the calling thread if there is one.
     *
     * @param failure null, or the signal of the call before: the error handler is called with its failure, and not the
     *     handler
     * @throws RecoverySignal when the transaction cannot commit any more: the caller rolls it back and calls again, with
     *     the signal, in a new transaction
     */
    Outcome invoke(Execution execution, ClaimedMessage message, Item<T> item, @Nullable RecoverySignal failure)
            throws Exception {
        if (failure == null) {
            execution.checkStart(message);
        }
        ThreadSnapshot snapshot = ThreadSnapshot.ofCurrentThread();
        beginCall(execution, List.of(message));
        try {
            Transactions.TransactionSavepoint before =
                    errorHandler == null || external || failure != null ? null : transactions.savepoint(SAVEPOINT);
            return interceptors.isEmpty()
                    ? call(execution, item, before, failure)
                    : transactions.callHandler(
                            interceptedHandlerName, () -> callIntercepted(execution, item, before, failure));
        } finally {
            execution.endCall();
            snapshot.restore();
        }
    }

    /**
     * Calls the handler between the interceptors. {@link Transactions#callHandler} is called twice: by the caller for the interceptors, and here for the
     * handler alone. A transaction that the handler left open is then a failure that the interceptors see, and they run in AcidQ's transaction.
     */
    private Outcome callIntercepted(
            Execution execution,
            Item<T> item,
            Transactions.@Nullable TransactionSavepoint before,
            @Nullable RecoverySignal failure)
            throws Exception {
        InterceptorChain.HandlingScopes handlingScopes = interceptors.handling(List.of(item.delivery()));
        Outcome outcome;
        try {
            outcome = call(execution, item, before, failure);
        } catch (Throwable e) {
            handlingScopes.failed(e instanceof RecoverySignal signal ? signal.thrown() : e);
            throw e;
        }
        handlingScopes.ended(List.of(outcome));
        return outcome;
    }

    private Outcome call(
            Execution execution,
            Item<T> item,
            Transactions.@Nullable TransactionSavepoint before,
            @Nullable RecoverySignal failure)
            throws Exception {
        Outcome outcome;
        try {
            if (failure != null) {
                throw failure.thrown();
            }
            outcome = transactions.callHandler(
                    handlerName, () -> listener.handler().handle(item.payload(), item.delivery()));
        } catch (Exception e) {
            if (errorHandler == null) {
                throw e;
            }
            outcome = transactions.callHandler(handlerName, () -> recover(execution, item, before, errorHandler, e));
        }
        if (outcome == null) {
            throw new QueueMisuseException("the handler of queue '" + listener.queue()
                    + "' returned null: return Outcome.done() when the work is done");
        }
        return outcome;
    }

    private Outcome recover(
            Execution execution,
            Item<T> item,
            Transactions.@Nullable TransactionSavepoint before,
            HandlerErrorHandler<T> errorHandler,
            Exception thrown)
            throws Exception {
        DatabaseError error = DatabaseError.of(thrown);
        if (execution.isCutShort()
                || thrown instanceof InterruptedException
                || (error != null && error.isTransient())) {
            throw thrown; // not the message's fault
        }
        if (before != null) {
            before.rollback(); // the unfinished work of the handler must not commit
            if (transactions.isRollbackOnly()) {
                throw new RecoverySignal(thrown);
            }
        }
        Outcome outcome = errorHandler.afterFailure(item.payload(), item.delivery(), thrown);
        if (outcome == null) {
            throw thrown;
        }
        return outcome;
    }

    /** Calls a batch handler for several messages, in the transaction on the calling thread. */
    List<Outcome> invokeBatch(
            Execution execution, List<ClaimedMessage> messages, BatchHandlerAdapter<T> handler, List<Item<T>> items)
            throws Exception {
        ThreadSnapshot snapshot = ThreadSnapshot.ofCurrentThread();
        beginCall(execution, messages);
        try {
            return interceptors.isEmpty()
                    ? transactions.callHandler(handlerName, () -> handler.handleAll(items))
                    : transactions.callHandler(interceptedHandlerName, () -> callIntercepted(handler, items));
        } finally {
            execution.endCall();
            snapshot.restore();
        }
    }

    private List<Outcome> callIntercepted(BatchHandlerAdapter<T> handler, List<Item<T>> items) throws Exception {
        InterceptorChain.HandlingScopes handlingScopes =
                interceptors.handling(items.stream().map(Item::delivery).toList());
        List<Outcome> outcomes;
        try {
            outcomes = transactions.callHandler(handlerName, () -> handler.handleAll(items));
        } catch (Throwable e) {
            handlingScopes.failed(e);
            throw e;
        }
        handlingScopes.ended(outcomes);
        return outcomes;
    }

    private void beginCall(Execution execution, List<ClaimedMessage> messages) {
        if (!execution.mayCallHandler()) {
            throw new ClaimLostException(messages.get(0).id(listener.queue()));
        }
        execution.beginCall(messages, external ? null : transactions.connectionAborter(), System.nanoTime());
    }

    /**
     * Rolls back a transaction that is marked rollback-only after the handler failed. The error handler then runs in a
     * new transaction.
     */
    @SuppressWarnings("serial") // never leaves this package
    static final class RecoverySignal extends Exception {

        private final Exception thrown;

        RecoverySignal(Exception thrown) {
            super("the transaction cannot commit after " + thrown, thrown, false, false);
            this.thrown = thrown;
        }

        /** Returns the exception that the handler threw. */
        Exception thrown() {
            return thrown;
        }
    }

    /**
     * The delivery of a claimed message.
     *
     * @param message the claimed message with its content
     * @param headers the decoded headers
     * @param claims  checks whether the claim still holds
     * @param cancelRequests the messages that operators have asked to cancel
     */
    private record ClaimedDelivery(
            MessageId id,
            ClaimedMessage message,
            Map<String, String> headers,
            ClaimStore claims,
            CancelRequests cancelRequests)
            implements Delivery {

        @Override
        public Optional<String> key() {
            return Optional.ofNullable(message.key());
        }

        @Override
        public Optional<String> orderingKey() {
            return Optional.ofNullable(message.orderingKey());
        }

        @Override
        public int attempt() {
            return message.attempts();
        }

        @Override
        public int crashes() {
            return message.crashes();
        }

        @Override
        public int claimNo() {
            return message.claim().claimNo();
        }

        @Override
        public int node() {
            return message.claim().owner();
        }

        @Override
        public boolean isCancelRequested() {
            return cancelRequests.contains(message.uid());
        }

        @Override
        public boolean stillMine() {
            return claims.isHeld(message.claim());
        }

        @Override
        public Instant enqueuedAt() {
            return Objects.requireNonNull(message.enqueuedAt(), "the content of the message was not read");
        }

        @Override
        public Instant dueAt() {
            return Objects.requireNonNull(message.dueAt(), "the content of the message was not read");
        }

        @Override
        public Optional<Instant> expiresAt() {
            return Optional.ofNullable(message.timeLeft()).map(ClaimedMessage.TimeLeft::expiresAt);
        }
    }
}
