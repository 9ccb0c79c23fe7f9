package io.acidq.mybatis.store;

import io.acidq.Receipt;
import io.acidq.admin.MessageTable;
import io.acidq.admin.Operator;
import io.acidq.admin.Subscriptions.Remaining;
import io.acidq.admin.Subscriptions.Subscription;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.RawStatement;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.CancelMapper.Found;
import io.acidq.mybatis.store.SubscriptionMapper.CopyRow;
import io.acidq.mybatis.store.SubscriptionMapper.DrainingRow;
import io.acidq.mybatis.store.SubscriptionMapper.NewPlace;
import io.acidq.mybatis.store.SubscriptionMapper.ParkedRow;
import io.acidq.mybatis.store.SubscriptionMapper.ScheduledRow;
import io.acidq.mybatis.store.SubscriptionMapper.WaitingRow;
import io.acidq.store.DatabaseError;
import io.acidq.store.ReceiptStore;
import io.acidq.store.SubscriptionStore;
import io.acidq.store.Transactions;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.ibatis.exceptions.PersistenceException;
import org.jspecify.annotations.Nullable;

/** Reads the subscriptions of a topic in the transaction on the calling thread, and changes subscriptions in transactions of its own. */
public final class MyBatisSubscriptionStore implements SubscriptionStore {

    private final Transactions transactions;
    private final StoreTransactions own;
    private final RawStatement ofTopic;

    public MyBatisSubscriptionStore(MyBatisSessions sessions, Transactions transactions, StoreTransactions own) {
        this.transactions = transactions;
        this.own = own;
        this.ofTopic = new RawStatement(sessions, "ofTopic", SubscriptionMapper.class.getName() + ".ofTopic");
    }

    @Override
    public List<Subscription> ofTopic(String topic) {
        return ofTopic.queryAll(
                transactions.requireCurrent("ofTopic"),
                (to, name) -> to.text(topic),
                row -> new Subscription(
                        topic,
                        row.getString(1),
                        row.getString(2),
                        false,
                        row.getObject(3, LocalDateTime.class).toInstant(ZoneOffset.UTC)));
    }

    @Override
    public List<Subscription> list(@Nullable String topic) {
        return own.runAndRelease(
                "subscriptions", t -> t.mapper(SubscriptionMapper.class).list(topic));
    }

    @Override
    public boolean addIfAbsent(String topic, String name, String filter, int queue) {
        return own.runAndRelease("subscribe", t -> {
            SubscriptionMapper mapper = t.mapper(SubscriptionMapper.class);
            if (mapper.list(topic).stream().anyMatch(s -> s.name().equals(name))) {
                return false;
            }
            try {
                return mapper.add(topic, name, filter, queue) == 1;
            } catch (PersistenceException e) {
                if (DatabaseError.of(e) != DatabaseError.DUPLICATE_KEY) {
                    throw e;
                }
                t.setRollbackOnly(); // another node has added it in the meantime
                return false;
            }
        });
    }

    @Override
    public boolean changeFilter(String topic, String name, String filter) {
        return change("changeFilter", mapper -> mapper.changeFilter(topic, name, filter) == 1);
    }

    @Override
    public boolean unsubscribe(String topic, String name, int queue, Remaining remaining, Operator operator) {
        return change("unsubscribe", mapper -> {
            boolean changed =
                    (remaining == Remaining.DRAIN ? mapper.drain(topic, name) : mapper.remove(topic, name)) == 1;
            if (changed) {
                mapper.insertAudit(queue, operator.actor(), operator.reason(), "remaining messages: " + remaining);
            }
            return changed;
        });
    }

    private boolean change(String what, Predicate<SubscriptionMapper> statement) {
        return own.runAndRelease(what, t -> statement.test(t.mapper(SubscriptionMapper.class)));
    }

    @Override
    public long reservePlaces(int queue) {
        return own.runAndRelease("reservePlaces", t -> {
            SubscriptionMapper mapper = t.mapper(SubscriptionMapper.class);
            NewPlace place = new NewPlace(queue);
            mapper.insertPlace(place);
            mapper.deletePlace(queue, place.id);
            mapper.insertPlaceAt(queue, place.id + RESERVED_PLACES);
            mapper.deletePlace(queue, place.id + RESERVED_PLACES);
            return place.id + 1;
        });
    }

    @Override
    public boolean hasArchive(int queue) {
        return own.runAndRelease(
                "hasArchive", t -> t.mapper(SubscriptionMapper.class).hasArchive(queue));
    }

    /** Reads the source first: a message that is published in between is in the target only, which does not matter. */
    @Override
    public List<SourceMessage> missing(int source, int target, Instant since) {
        return own.runAndRelease("missing", t -> {
            SubscriptionMapper mapper = t.mapper(SubscriptionMapper.class);
            List<SourceMessage> published = mapper.published(source, target, since);
            Set<UUID> there = new HashSet<>(mapper.uids(target));
            return published.stream()
                    .filter(m -> {
                        UUID copy = SubscriptionStore.copyUid(m.uid(), source, target);
                        return !there.contains(copy)
                                && (m.holder() == null || m.holder().equals(copy));
                    })
                    .toList();
        });
    }

    /** One statement for each message, because MariaDB refuses INSERT … SELECT in a batch. */
    @Override
    public int copy(int source, int target, List<Copy> copies) {
        return own.runAndRelease("copy", t -> {
            SubscriptionMapper mapper = t.mapper(SubscriptionMapper.class);
            int copied = 0;
            for (Copy copy : copies) {
                CopyRow row = new CopyRow(source, target, copy.of(), copy.uid(), copy.lane(), copy.id());
                if (row.of().key() != null) {
                    mapper.copyKey(row);
                }
                int inserted = row.of().inTable() == MessageTable.SCHEDULED
                        ? mapper.copyScheduled(row)
                        : mapper.copyMessage(row);
                if (inserted == 1 && ReceiptStore.hasReceipt(row.uid())) {
                    mapper.copyReceipt(row.of().uid(), row.uid());
                }
                copied += inserted;
            }
            return copied;
        });
    }

    @Override
    public int removeDrained() {
        return own.runAndRelease("removeDrained", t -> {
            SubscriptionMapper mapper = t.mapper(SubscriptionMapper.class);
            int removed = 0;
            for (DrainingRow row : mapper.draining()) {
                if (!mapper.hasMessages(row.queue())) {
                    removed += mapper.remove(row.topic(), row.name());
                }
            }
            return removed;
        });
    }

    /** Locks the row of the queue first, as the due-message mover does, so that no message is moved from {@code acidq_scheduled} into a lane at the same time. */
    @Override
    public int discardWaiting(int queue, int limit) {
        return own.runAndRelease("discardWaiting", t -> {
            SubscriptionMapper mapper = t.mapper(SubscriptionMapper.class);
            mapper.lockQueue(queue);
            List<WaitingRow> waiting = mapper.lockWaiting(queue, limit);
            int deleted =
                    waiting.isEmpty() ? 0 : t.batch(SubscriptionMapper.class, m -> waiting.forEach(m::deleteWaiting));
            List<ScheduledRow> scheduled = mapper.lockScheduled(queue, limit);
            deleted += scheduled.isEmpty()
                    ? 0
                    : t.batch(SubscriptionMapper.class, m -> scheduled.forEach(m::deleteScheduled));
            CancelMapper keys = t.mapper(CancelMapper.class);
            scheduled.forEach(row -> MessageCancellation.leaveScheduled(
                    keys, queue, new Found(MessageTable.SCHEDULED, row.id(), "", row.key(), row.dueAt()), row.uid()));
            List<ParkedRow> parked = mapper.lockParked(queue, limit);
            deleted += parked.isEmpty() ? 0 : t.batch(SubscriptionMapper.class, m -> parked.forEach(m::deleteParked));
            List<UUID> discarded = new ArrayList<>();
            waiting.forEach(row -> discarded.add(row.uid()));
            scheduled.forEach(row -> discarded.add(row.uid()));
            parked.forEach(row -> discarded.add(row.uid()));
            new ReceiptEndings(t.mapper(ReceiptMapper.class)).end(discarded, Receipt.State.DISCARDED);
            return deleted;
        });
    }

    /** Locks each lane as a claim does, which parks messages behind a marker that it has seen. */
    @Override
    public void removeEmptyMarkers(int queue) {
        List<WaitingRow> markers = own.runAndRelease(
                "refillMarkers", t -> t.mapper(SubscriptionMapper.class).refillMarkers(queue));
        markers.stream()
                .collect(Collectors.groupingBy(WaitingRow::lane))
                .forEach((lane, ofLane) -> own.runAndRelease("removeEmptyMarkers", t -> {
                    SubscriptionMapper mapper = t.mapper(SubscriptionMapper.class);
                    mapper.lockLane(queue, lane);
                    return ofLane.stream().mapToInt(mapper::deleteEmptyMarker).sum();
                }));
    }
}
