package io.acidq.store;

import io.acidq.MessageId;
import io.acidq.Receipt;
import io.acidq.Receipts.Committed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The table of receipts. {@link ClaimStore}, {@link NodeStore}, {@link DeadLetterStore}, {@link SubscriptionStore} and {@link MaintenanceStore} write the end
 * of a message into its receipt, in the transaction that ends the message.
 *
 * <p>The unique number of a message says whether it has a receipt. So each transaction that ends a message knows it without a read, and does nothing for the
 * others.
 */
public interface ReceiptStore {

    /**
     * The bit of a message's unique number that says that its result is kept. It is a high bit, because the low bits distinguish numbers of one
     * millisecond.
     */
    long KEEPS_RESULT = 1L << 61;

    /** The type of a result that could not be kept; its bytes are the reason as text. */
    String RESULT_NOT_KEPT = "acidq:not-kept";

    /** The largest result in bytes. */
    int MAX_RESULT_BYTES = 65_535;

    /**
     * Returns the number of a message with a receipt: a UUID of version 8 with the time and the random bits of one of version 7.
     *
     * @param timeBased   a UUID of version 7
     * @param keepsResult whether the receipt keeps the result
     */
    static UUID uid(UUID timeBased, boolean keepsResult) {
        long low = timeBased.getLeastSignificantBits();
        return new UUID(
                (timeBased.getMostSignificantBits() & ~0xF000L) | ((long) MessageId.VERSION_WITH_RECEIPT << 12),
                keepsResult ? low | KEEPS_RESULT : low & ~KEEPS_RESULT);
    }

    /** Returns whether the message of this number was enqueued with a receipt. */
    static boolean hasReceipt(UUID uid) {
        return uid.version() == MessageId.VERSION_WITH_RECEIPT;
    }

    /** Returns whether the receipt of the message of this number keeps the result of the handler. */
    static boolean keepsResult(UUID uid) {
        return hasReceipt(uid) && (uid.getLeastSignificantBits() & KEEPS_RESULT) != 0;
    }

    /** Adds receipts in the transaction on the calling thread. */
    void insert(List<NewReceipt> receipts);

    /** Answers whether a receipt was committed. Waits for the transaction that inserts it. Not in the transaction on the calling thread. */
    Committed committed(UUID uid);

    /** Returns a receipt. A plain read in a transaction of its own. */
    Optional<ReceiptRow> find(UUID uid);

    /**
     * A receipt to be inserted.
     *
     * @param uid  the unique number of the message
     * @param retention how long the receipt is kept after the end of the message
     */
    record NewReceipt(UUID uid, Duration retention) {}

    /**
     * A receipt.
     *
     * @param type      the logical name of the result's type; empty when there is no result
     * @param result    the encoded result
     * @param endedAt   when the message ended
     * @param keptUntil when the receipt may be removed
     */
    record ReceiptRow(
            Receipt.State state,
            String type,
            byte @Nullable [] result,
            @Nullable Instant endedAt,
            @Nullable Instant keptUntil) {}

    /**
     * The result of a message.
     *
     * @param type  the logical name of its type
     * @param bytes the result, encoded
     */
    record Result(String type, byte[] bytes) {}
}
