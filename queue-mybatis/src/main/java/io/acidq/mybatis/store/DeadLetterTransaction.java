package io.acidq.mybatis.store;

import io.acidq.QueueMisuseException;
import io.acidq.Receipt;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.DeadLetterMapper.Content;
import io.acidq.mybatis.store.DeadLetterMapper.NewBulk;
import io.acidq.mybatis.store.DeadLetterMapper.NewLetters;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One transaction that replays, discards or releases dead letters. It locks the letters that are still dead since the same time, writes the audit log and
 * changes the letters. The number of statements does not depend on the number of letters.
 */
final class DeadLetterTransaction {

    private final StoreTransaction transaction;
    private final DeadLetterMapper mapper;
    private final ReceiptEndings receipts;
    private final OperatorAction operatorAction;
    private final List<Letter> wanted;

    DeadLetterTransaction(StoreTransaction transaction, OperatorAction operatorAction, List<Letter> wanted) {
        this.transaction = transaction;
        this.mapper = transaction.mapper(DeadLetterMapper.class);
        this.receipts = new ReceiptEndings(transaction.mapper(ReceiptMapper.class));
        this.operatorAction = operatorAction;
        this.wanted = wanted;
    }

    ActionResult replay() {
        List<Letter> dead = mapper.lockIfDead(wanted);
        List<Letter> free = withFreeKeys(dead);
        return free.isEmpty() ? nothingChanged(dead.size()) : replay("replay", free, dead.size(), "");
    }

    /** @param headers the new headers; null to keep them */
    ActionResult edit(byte[] payload, @Nullable String headers) {
        List<Letter> dead = mapper.lockIfDead(wanted);
        List<Letter> free = withFreeKeys(dead);
        if (free.isEmpty()) {
            return nothingChanged(dead.size());
        }
        Letter letter = free.get(0);
        Content before = mapper.content(letter);
        mapper.edit(letter, payload, payload.length, headers);
        String change = change(" payload", before.payload(), payload);
        if (headers != null && !headers.equals(before.headers())) {
            change += change(
                    " headers",
                    before.headers().getBytes(StandardCharsets.UTF_8),
                    headers.getBytes(StandardCharsets.UTF_8));
        }
        return replay("edit", free, dead.size(), change);
    }

    private static String change(String what, byte[] before, byte[] now) {
        return what + " sha256=" + ErrorText.sha256Hex(before) + " now=" + ErrorText.sha256Hex(now);
    }

    ActionResult discard() {
        List<Letter> dead = mapper.lockIfDead(wanted);
        if (dead.isEmpty()) {
            return nothingChanged(0);
        }
        ActionResult actionResult =
                record("discard", dead, new ActionResult(dead.size(), wanted.size() - dead.size(), 0, bulkId()), "");
        List<Letter> holding = dead.stream().filter(Letter::isHolding).toList();
        if (!holding.isEmpty()) {
            mapper.deleteMarkers(holding);
        }
        requireAll("deleted", mapper.deleteDead(dead), dead.size());
        receipts.end(uids(dead), Receipt.State.DISCARDED);
        return actionResult;
    }

    /** Unblocks the ordering key. The letter stays dead. */
    ActionResult release() {
        List<Letter> holding =
                mapper.lockIfDead(wanted).stream().filter(Letter::isHolding).toList();
        if (holding.isEmpty()) {
            return nothingChanged(0);
        }
        ActionResult actionResult =
                record("release", holding, new ActionResult(holding.size(), wanted.size() - holding.size(), 0, 0), "");
        mapper.deleteMarkers(holding);
        holding.forEach(mapper::forgetPlace);
        return actionResult;
    }

    private ActionResult replay(String action, List<Letter> free, int dead, String more) {
        ActionResult actionResult = record(
                action, free, new ActionResult(free.size(), wanted.size() - dead, dead - free.size(), bulkId()), more);
        moveToLanes(free);
        requireAll("deleted", mapper.deleteDead(free), free.size());
        receipts.reopen(uids(free));
        return actionResult;
    }

    private static List<UUID> uids(List<Letter> letters) {
        return letters.stream().map(Letter::uid).toList();
    }

    /** Moves each letter into the place that its marker keeps, or to the tail of its lane. */
    private void moveToLanes(List<Letter> letters) {
        List<Letter> holding = letters.stream().filter(Letter::isHolding).toList();
        Set<UUID> kept = holding.isEmpty() ? Set.of() : new HashSet<>(mapper.lockMarkers(holding));
        List<Letter> inPlace =
                holding.stream().filter(l -> kept.contains(l.uid())).toList();
        List<Letter> toTail =
                letters.stream().filter(l -> !kept.contains(l.uid())).toList();
        if (!inPlace.isEmpty()) {
            requireAll("put back", mapper.swapBack(inPlace), inPlace.size());
        }
        if (!toTail.isEmpty()) {
            requireAll("moved", mapper.copyToLane(toTail), toTail.size());
        }
    }

    private ActionResult nothingChanged(int dead) {
        ActionResult actionResult = new ActionResult(0, wanted.size() - dead, dead, bulkId());
        BulkProgress bulkProgress = operatorAction.bulk();
        if (bulkProgress != null && bulkProgress.id() != 0) {
            mapper.updateBulk(bulkProgress.id(), counts(bulkProgress.plus(actionResult)));
        }
        return actionResult;
    }

    private List<Letter> withFreeKeys(List<Letter> dead) {
        if (dead.isEmpty()) {
            return dead;
        }
        MessageKeyTable keys = new MessageKeyTable(transaction.mapper(KeyMapper.class));
        Set<UUID> refused = keys.takeOrRefuse(mapper.strayKeys(dead));
        return dead.stream().filter(l -> !refused.contains(l.uid())).toList();
    }

    /** The first change of a bulk action inserts its row, each later one updates the counts. */
    private ActionResult record(String action, List<Letter> letters, ActionResult actionResult, String more) {
        long id = bulkId();
        BulkProgress bulkProgress = operatorAction.bulk();
        if (bulkProgress != null && id == 0) {
            NewBulk row = new NewBulk(operatorAction, action, bulkProgress, counts(bulkProgress.plus(actionResult)));
            mapper.insertBulk(row);
            id = row.id;
        } else if (bulkProgress != null) {
            mapper.updateBulk(id, counts(bulkProgress.plus(actionResult)));
        }
        mapper.insertLetters(
                new NewLetters(operatorAction.actor(), action, operatorAction.reason(), id, letters, more));
        return new ActionResult(actionResult.changed(), actionResult.lost(), actionResult.keyTaken(), id);
    }

    private long bulkId() {
        BulkProgress bulkProgress = operatorAction.bulk();
        return bulkProgress == null ? 0 : bulkProgress.id();
    }

    static String counts(BulkProgress bulkProgress) {
        return "matched=" + bulkProgress.matched() + " changed=" + bulkProgress.changed() + " lost="
                + bulkProgress.lost() + " keyTaken=" + bulkProgress.keyTaken();
    }

    /** Checks that all letters were changed. They are locked, so only a trigger can cause a different count. */
    private static void requireAll(String what, int count, int letters) {
        if (count != letters) {
            throw new QueueMisuseException(
                    "only " + count + " of " + letters + " locked dead letters were " + what
                            + ", so nothing was changed. Only a trigger on a table of AcidQ can cause this: remove it, and repeat the call");
        }
    }
}
