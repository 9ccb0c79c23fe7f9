package io.acidq.mybatis.store;

import io.acidq.Receipt;
import io.acidq.admin.MessageFilter;
import io.acidq.admin.MessageTable;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.CancelMapper.Found;
import io.acidq.mybatis.store.CancelMapper.LockedRow;
import io.acidq.mybatis.store.CancelMapper.PageRow;
import io.acidq.mybatis.store.ClaimMapper.IdList;
import io.acidq.mybatis.store.DeadLetterMapper.NewBulk;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.QueueStore.CancelPlace;
import io.acidq.store.QueueStore.Cancellable;
import io.acidq.store.QueueStore.CancelledMessages;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cancels selected messages of a queue for operators. It reads the messages page by page and checks the conditions of the filter itself: a condition
 * without an index would let one statement read the whole queue.
 */
final class CancellationByFilter {

    private static final int ROWS_PER_PAGE = 1_000;

    private final StoreTransactions transactions;

    CancellationByFilter(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    List<Cancellable> pick(int queue, MessageFilter filter, @Nullable Integer lane, int limit) {
        Selection selection = new Selection(filter, limit);
        List<Integer> lanes = lane == null ? page(mapper -> mapper.lanesOf(queue)) : List.of(lane);
        for (int each : lanes) {
            long after = 0;
            List<PageRow> page;
            do {
                long last = after;
                page = selection.isFull()
                        ? List.of()
                        : page(mapper -> mapper.lanePage(queue, each, last, ROWS_PER_PAGE));
                page.forEach(row -> selection.add(row.owner() == 0 ? CancelPlace.WAITING : CancelPlace.CLAIMED, row));
                after = page.isEmpty() ? after : page.get(page.size() - 1).id();
            } while (page.size() == ROWS_PER_PAGE);
        }
        readScheduled(queue, selection);
        readParked(queue, filter.orderingKey(), selection);
        return selection.picked;
    }

    /** Reads the messages of the last instant of a full page by their ids, since a page has no order within an instant. */
    private void readScheduled(int queue, Selection selection) {
        Instant last = Instant.EPOCH;
        boolean more = true;
        while (more && !selection.isFull()) {
            readScheduledAt(queue, last, selection);
            Instant from = last;
            List<PageRow> page = page(mapper -> mapper.scheduledPage(queue, from, ROWS_PER_PAGE));
            more = page.size() == ROWS_PER_PAGE;
            last = more ? page.get(page.size() - 1).due() : last;
            for (PageRow row : page) {
                if (!more || row.due().isBefore(last)) {
                    selection.add(CancelPlace.SCHEDULED, row);
                }
            }
        }
    }

    private void readScheduledAt(int queue, Instant due, Selection selection) {
        long after = 0;
        List<PageRow> page;
        do {
            long last = after;
            page = page(mapper -> mapper.scheduledPageAt(queue, due, last, ROWS_PER_PAGE));
            page.forEach(row -> selection.add(CancelPlace.SCHEDULED, row));
            after = page.isEmpty() ? after : page.get(page.size() - 1).id();
        } while (page.size() == ROWS_PER_PAGE && !selection.isFull());
    }

    private void readParked(int queue, @Nullable String orderingKey, Selection selection) {
        String key = orderingKey == null ? "" : orderingKey;
        long after = 0;
        while (!selection.isFull()) {
            String from = key;
            long last = after;
            List<PageRow> page = page(mapper -> {
                List<PageRow> rows = new ArrayList<>(mapper.parkedPageOf(queue, from, last, ROWS_PER_PAGE));
                if (orderingKey == null && rows.size() < ROWS_PER_PAGE) {
                    rows.addAll(mapper.parkedPage(queue, from, ROWS_PER_PAGE - rows.size()));
                }
                return rows;
            });
            if (page.isEmpty()) {
                return;
            }
            page.forEach(row -> selection.add(CancelPlace.PARKED, row));
            key = page.get(page.size() - 1).orderingKey();
            after = page.get(page.size() - 1).id();
        }
    }

    private <R> List<R> page(Function<CancelMapper, List<R>> statement) {
        return transactions.read("pickForCancel", t -> statement.apply(t.mapper(CancelMapper.class)));
    }

    /** The messages that a filter has selected so far. */
    private static final class Selection {

        private final MessageFilter filter;
        private final int limit;
        private final List<Cancellable> picked = new ArrayList<>();

        Selection(MessageFilter filter, int limit) {
            this.filter = filter;
            this.limit = limit;
        }

        boolean isFull() {
            return picked.size() >= limit;
        }

        void add(CancelPlace place, PageRow row) {
            if (!isFull() && row.kind() == 0 && (place != CancelPlace.CLAIMED || filter.claimed()) && accepts(row)) {
                picked.add(new Cancellable(place, row.lane(), row.id(), row.uid(), row.orderingKey()));
            }
        }

        private boolean accepts(PageRow row) {
            Instant before = filter.enqueuedBefore();
            return (filter.type() == null || filter.type().equals(row.type()))
                    && (filter.orderingKey() == null || filter.orderingKey().equals(row.orderingKey()))
                    && (before == null || row.enqueuedAt().isBefore(before));
        }
    }

    CancelledMessages cancelAll(OperatorAction action, int queue, List<Cancellable> messages) {
        return transactions.runAndRelease("cancelAll", t -> new Chunk(t, queue, messages).cancel(action));
    }

    /** Messages of one place and one lane, in one transaction. */
    private static final class Chunk {

        private final StoreTransaction transaction;
        private final CancelMapper mapper;
        private final int queue;
        private final List<Cancellable> wanted;

        Chunk(StoreTransaction transaction, int queue, List<Cancellable> wanted) {
            this.transaction = transaction;
            this.mapper = transaction.mapper(CancelMapper.class);
            this.queue = queue;
            this.wanted = wanted;
        }

        CancelledMessages cancel(OperatorAction action) {
            Cancellable first = wanted.get(0);
            List<Cancellable> cancelled = switch (first.place()) {
                case WAITING -> deleteWaiting(first.lane());
                case SCHEDULED -> deleteScheduled();
                default -> deleteParked(first.lane());
            };
            new ReceiptEndings(transaction.mapper(ReceiptMapper.class))
                    .end(cancelled.stream().map(Cancellable::uid).toList(), Receipt.State.CANCELLED);
            return new CancelledMessages(cancelled, record(action, cancelled));
        }

        private List<Cancellable> deleteWaiting(int lane) {
            List<Cancellable> locked = locked(mapper.lockWaiting(queue, lane, ids()));
            if (!locked.isEmpty()) {
                transaction.batch(
                        CancelMapper.class, m -> locked.forEach(c -> m.deleteFree(queue, lane, c.id(), c.uid())));
            }
            return locked;
        }

        private IdList ids() {
            return new IdList(wanted.stream().map(Cancellable::id).toList());
        }

        /** Another message may have the id of one that has ended, after a failover that lost commits. */
        private List<Cancellable> locked(List<LockedRow> rows) {
            Map<Long, UUID> uids = rows.stream().collect(Collectors.toMap(LockedRow::id, LockedRow::uid));
            return wanted.stream()
                    .filter(message -> message.uid().equals(uids.get(message.id())))
                    .toList();
        }

        private List<Cancellable> deleteScheduled() {
            List<LockedRow> rows = mapper.lockScheduled(queue, ids());
            List<Cancellable> locked = locked(rows);
            Map<Long, LockedRow> byId = rows.stream().collect(Collectors.toMap(LockedRow::id, row -> row));
            for (Cancellable message : locked) {
                LockedRow row = Objects.requireNonNull(byId.get(message.id()));
                MessageCancellation.deleteScheduled(
                        mapper,
                        queue,
                        new Found(MessageTable.SCHEDULED, row.id(), "", row.key(), row.due()),
                        row.uid());
            }
            return locked;
        }

        private List<Cancellable> deleteParked(int lane) {
            if (mapper.lockLane(queue, lane) == null) {
                return List.of();
            }
            ClaimMapper claims = transaction.mapper(ClaimMapper.class);
            return wanted.stream()
                    .filter(message -> MessageCancellation.deleteParked(
                            mapper,
                            claims,
                            queue,
                            lane,
                            new Found(MessageTable.PARKED, message.id(), message.orderingKey(), null, Instant.EPOCH),
                            message.uid()))
                    .toList();
        }

        /** Writes the audit log. The first change of the bulk action inserts its row, each later one updates the counts. */
        private long record(OperatorAction action, List<Cancellable> cancelled) {
            BulkProgress before = Objects.requireNonNull(action.bulk());
            long bulk = before.id();
            BulkProgress now =
                    before.plus(new ActionResult(cancelled.size(), wanted.size() - cancelled.size(), 0, bulk));
            String counts = "matched=" + now.matched() + " changed=" + now.changed() + " lost=" + now.lost();
            DeadLetterMapper audit = transaction.mapper(DeadLetterMapper.class);
            if (bulk != 0) {
                audit.updateBulk(bulk, counts);
            } else if (!cancelled.isEmpty()) {
                NewBulk row = new NewBulk(action, "cancel", before, counts);
                audit.insertBulk(row);
                bulk = row.id;
            }
            if (!cancelled.isEmpty()) {
                mapper.insertCancelled(action.actor(), action.reason(), queue, bulk, cancelled);
            }
            return bulk;
        }
    }
}
