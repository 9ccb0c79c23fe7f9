package io.acidq.engine;

import io.acidq.Delivery;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.codec.Codec;
import io.acidq.codec.UndecodableException;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.store.Transactions;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs the handler for one message, with the fenced acknowledgement as the last statement of the handler's transaction. */
final class Executor<T> {

    private final Listener<T> listener;
    private final Transactions transactions;
    private final ClaimStore claims;
    private final Codec codec;
    private final Completer completer;

    Executor(Listener<T> listener, Transactions transactions, ClaimStore claims, Codec codec, Completer completer) {
        this.listener = listener;
        this.transactions = transactions;
        this.claims = claims;
        this.codec = codec;
        this.completer = completer;
    }

    /**
     * Runs it and writes what it ended in.
     *
     * @param interrupting whether the engine interrupts handlers to stop, so that a failure is no fault of the message
     * @return the outcome; null when the message was given back, or was not this node's any more
     */
    @Nullable
    Outcome run(ClaimedMessage message, BooleanSupplier interrupting) {
        MessageId id = RunDelivery.idOf(listener.queue(), message);
        try {
            byte[] bytes = message.payload() != null ? message.payload() : claims.payload(message.claim());
            if (bytes == null) {
                throw new ClaimLostException(id);
            }
            T payload = codec.decode(new Codec.Encoded(message.type(), bytes), listener.payloadType());
            handle(message, payload);
            return Outcome.done();
        } catch (RolledBack r) {
            return completer.end(id, message, listener.retry().limit(r.outcome, message.attempts()));
        } catch (UndecodableException e) {
            return completer.end(
                    id, message, Outcome.dead(e.getMessage() + (e.getCause() == null ? "" : ": " + e.getCause())));
        } catch (ClaimLostException e) {
            completer.fenced(id);
            return null;
        } catch (Throwable e) { // also an Error of the handler: it counts as a failure, the engine lives on
            return failed(id, message, e, interrupting.getAsBoolean());
        }
    }

    private void handle(ClaimedMessage message, T payload) throws Exception {
        Delivery delivery = RunDelivery.of(listener.queue(), message);
        transactions.inNew(() -> {
            Outcome outcome = listener.handler().handle(payload, delivery);
            if (outcome == null) {
                throw new QueueMisuseException("the handler of queue '" + listener.queue()
                        + "' returned null: return Outcome.done() when the work is done");
            }
            if (outcome != Outcome.done()) {
                throw new RolledBack(outcome);
            }
            if (!claims.ackIfClaimed(message.claim())) {
                throw new ClaimLostException(delivery.id());
            }
            return outcome;
        });
    }

    private @Nullable Outcome failed(MessageId id, ClaimedMessage message, Throwable failure, boolean interrupted) {
        Thread.interrupted(); // the end must be written, whatever stopped the handler
        DatabaseError error = DatabaseError.of(failure);
        if (interrupted || (error != null && error.isPassing())) {
            completer.giveBack(id, message, failure);
            return null;
        }
        return completer.end(id, message, listener.retry().afterFailure(failure, message.attempts()));
    }

    /** Carries an outcome out of the transaction that it rolls back. */
    private static final class RolledBack extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Outcome outcome;

        RolledBack(Outcome outcome) {
            super("rolled back: " + outcome, null, false, false);
            this.outcome = outcome;
        }
    }
}
