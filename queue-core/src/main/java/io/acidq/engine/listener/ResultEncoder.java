package io.acidq.engine.listener;

import io.acidq.MessageRejectedException;
import io.acidq.Outcome;
import io.acidq.codec.Codec;
import io.acidq.engine.listener.OutcomeRecorder.DoneMessage;
import io.acidq.store.ReceiptStore;
import org.jspecify.annotations.Nullable;

/** Encodes the results of handlers that receipts keep. Thread-safe. */
final class ResultEncoder {

    private final String queue;
    private final Codec codec;

    ResultEncoder(String queue, Codec codec) {
        this.queue = queue;
        this.codec = codec;
    }

    /** Returns the result that the receipt of the message keeps; null when it keeps none, or the handler gave none. */
    ReceiptStore.@Nullable Result encode(DoneMessage done) {
        Object result = done.outcome() instanceof Outcome.Done ended ? ended.result() : null;
        if (result == null || !ReceiptStore.keepsResult(done.claim().uid())) {
            return null;
        }
        Codec.Encoded encoded;
        try {
            encoded = codec.encode(result);
        } catch (MessageRejectedException e) {
            throw new MessageRejectedException(
                    "the result of the handler of queue '" + queue + "' cannot be kept: " + e.getMessage(), e);
        }
        if (encoded.bytes().length > ReceiptStore.MAX_RESULT_BYTES) {
            throw new MessageRejectedException("the result of the handler of queue '" + queue + "' has "
                    + encoded.bytes().length + " bytes, at most " + ReceiptStore.MAX_RESULT_BYTES
                    + " are kept: store it in a table of your own and return a reference");
        }
        return new ReceiptStore.Result(encoded.type(), encoded.bytes());
    }
}
