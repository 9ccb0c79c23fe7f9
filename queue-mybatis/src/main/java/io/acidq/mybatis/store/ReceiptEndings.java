package io.acidq.mybatis.store;

import io.acidq.Receipt;
import io.acidq.store.ReceiptStore;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Writes the ends of messages into their receipts, in the transaction that ends the messages, after its fence. Each method ignores the messages without a
 * receipt, and executes no statement if none has one.
 */
final class ReceiptEndings {

    private static final int ROWS_PER_STATEMENT = 500;

    private final ReceiptMapper mapper;

    ReceiptEndings(ReceiptMapper mapper) {
        this.mapper = mapper;
    }

    /** Ends messages, whether they were pending or dead. */
    void end(Collection<UUID> messages, Receipt.State state) {
        forEachChunk(messages, uids -> mapper.end(uids, state));
    }

    /** Makes the receipts of replayed dead letters pending again. */
    void reopen(Collection<UUID> messages) {
        forEachChunk(messages, mapper::reopen);
    }

    /** Begins the retention of the receipts of dead letters that are removed because they are old. */
    void expire(Collection<UUID> messages) {
        forEachChunk(messages, mapper::expire);
    }

    /** Compares as the server does, so that two transactions lock the rows of equal messages in the same order. */
    static int compare(UUID one, UUID other) {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    }

    private static void forEachChunk(Collection<UUID> messages, Consumer<List<UUID>> statement) {
        List<UUID> uids = messages.stream()
                .filter(ReceiptStore::hasReceipt)
                .distinct()
                .sorted(ReceiptEndings::compare)
                .toList();
        for (int from = 0; from < uids.size(); from += ROWS_PER_STATEMENT) {
            statement.accept(uids.subList(from, Math.min(from + ROWS_PER_STATEMENT, uids.size())));
        }
    }
}
