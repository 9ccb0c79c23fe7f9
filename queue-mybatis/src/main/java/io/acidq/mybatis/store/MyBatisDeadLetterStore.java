package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.DeadLetters.DeadLetterSlice;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.DeadLetterMapper.DeadQuery;
import io.acidq.mybatis.store.DeadLetterMapper.DeadQueueRow;
import io.acidq.mybatis.store.DeadLetterMapper.FirstOfCause;
import io.acidq.mybatis.store.DeadLetterMapper.HeldRow;
import io.acidq.mybatis.store.DeadLetterMapper.LastOfCause;
import io.acidq.mybatis.store.DeadLetterMapper.LetterPosition;
import io.acidq.mybatis.store.DeadLetterMapper.NewBulk;
import io.acidq.store.DeadLetterStore;
import io.acidq.store.QueueStore.QueueRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds, replays, discards and releases dead letters. */
public final class MyBatisDeadLetterStore implements DeadLetterStore {

    private static final int ERROR_CHARS = 1_000;

    private final StoreTransactions transactions;
    private final PacketLimit packet;

    public MyBatisDeadLetterStore(MyBatisSessions sessions, StoreTransactions transactions) {
        this.transactions = transactions;
        this.packet = new PacketLimit(sessions);
    }

    @Override
    public List<DeadLetter> list(QueueRow queue, DeadLetterFilter filter, DeadLetterPage page) {
        DeadQuery query = DeadQuery.of(queue.id(), filter, page);
        return read(
                "list",
                m -> m.list(query).stream()
                        .map(r -> r.toDeadLetter(queue.name()))
                        .toList());
    }

    @Override
    public DeadLetterSlice slice(QueueRow queue, DeadLetterFilter filter, DeadLetterPage page, int scanLimit) {
        return read("slice", m -> {
            DeadQuery query = DeadQuery.of(queue.id(), filter, page).withOffset(scanLimit - 1);
            LetterPosition end = filter.isIndexed() ? null : m.scanEnd(query);
            List<DeadLetter> letters = m.list(end == null ? query : query.until(end)).stream()
                    .map(r -> r.toDeadLetter(queue.name()))
                    .toList();
            if (letters.size() == page.limit()) {
                return new DeadLetterSlice(
                        letters, Optional.of(page.after(letters.get(letters.size() - 1))), OptionalInt.empty());
            }
            return end == null
                    ? new DeadLetterSlice(letters, Optional.empty(), OptionalInt.empty())
                    : new DeadLetterSlice(
                            letters,
                            Optional.of(new DeadLetterPage(page.limit(), end.diedAt(), end.uid(), page.newestFirst())),
                            OptionalInt.of(scanLimit));
        });
    }

    @Override
    public int count(QueueRow queue, DeadLetterFilter filter, int limit) {
        DeadQuery query = DeadQuery.of(queue.id(), filter, limit);
        return read("count", m -> m.countUpTo(query));
    }

    @Override
    public long count(QueueRow queue, DeadLetterFilter filter) {
        DeadQuery query = DeadQuery.of(queue.id(), filter, 1);
        return read("count", m -> m.count(query));
    }

    @Override
    public Optional<QueueRow> nextQueueWithDeadLetters(int after) {
        return read("nextQueueWithDeadLetters", m -> {
            DeadQueueRow row = m.nextQueue(after);
            while (row != null && row.name() == null) { // its row was deleted by hand
                row = row.id() == Integer.MAX_VALUE ? null : m.nextQueue(row.id());
            }
            return row == null || row.name() == null
                    ? Optional.empty()
                    : Optional.of(new QueueRow(row.id(), row.name(), row.lanes()));
        });
    }

    @Override
    public List<Cause> causes(QueueRow queue, @Nullable String cause, int limit) {
        byte[] wanted = cause == null ? null : HexFormat.of().parseHex(cause);
        return read("causes", m -> {
            List<Cause> causes = new ArrayList<>();
            FirstOfCause first = m.firstOfCause(queue.id(), wanted, null);
            while (first != null && causes.size() < limit) {
                LastOfCause last = m.lastOfCause(queue.id(), first.cause(), ERROR_CHARS);
                if (last != null) { // else the last letter of the cause has gone in between
                    causes.add(new Cause(
                            ErrorText.hex(first.cause()),
                            first.diedAt(),
                            last.diedAt(),
                            ErrorText.firstLine(last.mark()),
                            last.type()));
                }
                first = wanted == null ? m.firstOfCause(queue.id(), null, first.cause()) : null;
            }
            return causes;
        });
    }

    @Override
    public int countCause(QueueRow queue, String cause, int limit) {
        byte[] wanted = HexFormat.of().parseHex(cause);
        return read("countCause", m -> m.countCause(queue.id(), wanted, limit));
    }

    @Override
    public List<Letter> pick(QueueRow queue, DeadLetterFilter filter, int limit) {
        DeadQuery query = DeadQuery.of(queue.id(), filter, limit);
        return read("pick", m -> m.pick(query));
    }

    @Override
    public Optional<Letter> find(QueueRow queue, UUID uid) {
        return read("find", m -> Optional.ofNullable(m.find(queue.id(), uid)));
    }

    @Override
    public List<BlockedKey> blockedKeys(QueueRow queue, int limit) {
        return blockedKeys(queue, null, limit);
    }

    @Override
    public Optional<BlockedKey> findBlockedKey(QueueRow queue, String orderingKey) {
        return blockedKeys(queue, orderingKey, 1).stream().findFirst();
    }

    private List<BlockedKey> blockedKeys(QueueRow queue, @Nullable String orderingKey, int limit) {
        return transactions.runAndRelease("blockedKeys", t -> {
            ClaimMapper parked = t.mapper(ClaimMapper.class);
            Set<String> seen = new HashSet<>();
            return t.mapper(DeadLetterMapper.class).held(queue.id(), orderingKey, limit, ERROR_CHARS).stream()
                    .filter(h -> seen.add(h.orderingKey()))
                    .map(h -> new BlockedKey(
                            h.orderingKey(),
                            new MessageId(queue.name(), h.lane(), h.uid()),
                            h.diedAt(),
                            ErrorText.firstLine(h.mark()),
                            waiting(parked, queue.id(), h)))
                    .toList();
        });
    }

    private static int waiting(ClaimMapper parked, int queue, HeldRow held) {
        int limit = BlockedKey.MAX_COUNTED;
        return Math.min(limit, parked.waiting(queue, held.lane(), held.heldId(), held.orderingKey(), limit));
    }

    @Override
    public ActionResult releaseIfHolding(OperatorAction operatorAction, Letter letter) {
        return transactions.runAndRelease(
                "releaseIfHolding", t -> new DeadLetterTransaction(t, operatorAction, List.of(letter)).release());
    }

    @Override
    public int countTakenKeys(List<Letter> letters) {
        return transactions.runAndRelease(
                "countTakenKeys",
                t -> letters.isEmpty()
                        ? 0
                        : new MessageKeyTable(t.mapper(KeyMapper.class))
                                .countRefused(t.mapper(DeadLetterMapper.class).strayKeys(letters)));
    }

    @Override
    public ActionResult replayIfDead(OperatorAction operatorAction, List<Letter> letters) {
        return transactions.runAndKeep(
                "replayIfDead", t -> new DeadLetterTransaction(t, operatorAction, letters).replay());
    }

    @Override
    public ActionResult editIfDead(
            OperatorAction operatorAction, Letter letter, byte[] payload, @Nullable String headers) {
        return transactions.runAndRelease("editIfDead", t -> {
            packet.check(t.connection(), "editIfDead", payload, 0);
            return new DeadLetterTransaction(t, operatorAction, List.of(letter)).edit(payload, headers);
        });
    }

    @Override
    public ActionResult discardIfDead(OperatorAction operatorAction, List<Letter> letters) {
        return transactions.runAndKeep(
                "discardIfDead", t -> new DeadLetterTransaction(t, operatorAction, letters).discard());
    }

    @Override
    public void recordStop(OperatorAction operatorAction, BulkProgress stopped) {
        String detail = "bulk=" + stopped.id() + " " + DeadLetterTransaction.counts(stopped);
        BulkProgress withoutFilter =
                new BulkProgress(0, stopped.queue(), "", 0, 0, 0, 0); // the entry selects no messages
        read("recordStop", mapper -> mapper.insertBulk(new NewBulk(operatorAction, "stop", withoutFilter, detail)));
    }

    private <T extends @Nullable Object> T read(String verb, Function<DeadLetterMapper, T> statement) {
        return transactions.runAndRelease(verb, t -> statement.apply(t.mapper(DeadLetterMapper.class)));
    }
}
