package io.acidq.mybatis.store;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.Priority;
import io.acidq.QueueMisuseException;
import io.acidq.admin.MessageFilter;
import io.acidq.admin.Operator;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import io.acidq.mybatis.store.QueueMapper.QueueStateChange;
import io.acidq.store.DatabaseError;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.QueueStore;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ibatis.exceptions.PersistenceException;
import org.jspecify.annotations.Nullable;

/** Adds queues with their lanes, pauses and resumes them. */
public final class MyBatisQueueStore implements QueueStore {

    private final StoreTransactions transactions;
    private final MessageCancellation cancellation;
    private final CancellationByFilter cancellationByFilter;

    public MyBatisQueueStore(StoreTransactions transactions) {
        this.transactions = transactions;
        this.cancellation = new MessageCancellation(transactions);
        this.cancellationByFilter = new CancellationByFilter(transactions);
    }

    @Override
    public QueueRow openQueue(String name) {
        QueueRow known = find(name);
        if (known != null) {
            return known;
        }
        QueueRow created = new QueueRow(QueueStore.numberOf(name), name, LANES);
        if (create(created)) {
            return created;
        }
        known = find(name); // another node has added it in the meantime
        if (known == null) {
            throw new QueueMisuseException(refusal(created));
        }
        return known;
    }

    private String refusal(QueueRow queue) {
        String other = transactions.<@Nullable String>runAndRelease(
                "openQueue", t -> t.mapper(QueueMapper.class).nameOf(queue.id()));
        return "queue '" + queue.name() + "' cannot be added to acidq_queue: "
                + (other == null
                        ? "its row was added and deleted at the same time; try again"
                        : "queue '" + other + "' has its number " + queue.id()
                                + ", which is a hash of the name; rename one of the two queues");
    }

    /** Sorts the queues, so that nodes that do this at the same time lock in the same order. */
    @Override
    public void openLanes(Collection<QueueRow> queues) {
        queues.stream()
                .sorted(Comparator.comparingInt(QueueRow::id))
                .forEach(queue ->
                        transactions.runAndRelease("openLanes", t -> openLanes(t.mapper(QueueMapper.class), queue)));
    }

    private static int openLanes(QueueMapper mapper, QueueRow queue) {
        List<Integer> lanes = IntStream.range(0, queue.lanes()).boxed().toList();
        Stream<ClaimedLane> direct = IntStream.range(queue.lanes(), queue.lanes() + DIRECT_LANES)
                .mapToObj(lane -> new ClaimedLane(queue.id(), lane, Long.MAX_VALUE));
        return mapper.raiseLanes(Stream.concat(mapper.lastIds(queue.id(), lanes).stream(), direct)
                .toList());
    }

    @Override
    public void openPriorityLanes(QueueRow queue) {
        transactions.runAndRelease(
                "openPriorityLanes", t -> t.mapper(QueueMapper.class).insertLanes(queue.id(), priorityLanes()));
    }

    @Override
    public void reopenPriorityLanes(QueueRow queue) {
        transactions.runAndRelease("reopenPriorityLanes", t -> {
            QueueMapper mapper = t.mapper(QueueMapper.class);
            return mapper.raiseLanes(mapper.lastIds(queue.id(), priorityLanes()));
        });
    }

    private static List<Integer> priorityLanes() {
        return IntStream.concat(lanes(Priority.HIGH), lanes(Priority.LOW))
                .boxed()
                .toList();
    }

    /** Returns the lanes of HIGH or of LOW. */
    static IntStream lanes(Priority priority) {
        return IntStream.range(priority.firstLane(), priority.firstLane() + Priority.LANES);
    }

    @Override
    public Optional<QueueRow> findQueue(String name) {
        return Optional.ofNullable(find(name));
    }

    @Override
    public boolean changeDeadHeadPolicy(QueueRow queue, DeadHeadPolicy policy) {
        return transactions.runAndRelease(
                "changeDeadHeadPolicy", t -> t.mapper(QueueMapper.class).changeDeadHeadPolicy(queue.id(), policy) == 1);
    }

    @Override
    public boolean pauseIfRunning(int queue, Operator operator) {
        return setPaused(new QueueStateChange(queue, true, "pause", operator.actor(), operator.reason()));
    }

    @Override
    public boolean resumeIfPaused(int queue, Operator operator) {
        return setPaused(new QueueStateChange(queue, false, "resume", operator.actor(), operator.reason()));
    }

    private boolean setPaused(QueueStateChange change) {
        return transactions.runAndRelease("setPaused", t -> {
            boolean changed = t.mapper(QueueMapper.class).setPausedIfNot(change) == 1;
            if (changed) {
                t.mapper(QueueMapper.class).insertAudit(change);
            }
            return changed;
        });
    }

    @Override
    public Cancellation cancel(QueueRow queue, MessageId id, Operator operator) {
        return cancellation.cancel(queue, id, operator);
    }

    @Override
    public List<Cancellable> pickForCancel(QueueRow queue, MessageFilter filter, @Nullable Integer lane, int limit) {
        return cancellationByFilter.pick(queue.id(), filter, lane, limit);
    }

    @Override
    public CancelledMessages cancelAll(OperatorAction action, QueueRow queue, List<Cancellable> messages) {
        return cancellationByFilter.cancelAll(action, queue.id(), messages);
    }

    @Override
    public Set<UUID> cancelRequests() {
        return cancellation.requests();
    }

    @Override
    public List<StoredQueue> readQueues(Collection<Integer> queues) {
        return queues.isEmpty()
                ? List.of()
                : transactions.readInTurn(
                        "readQueues", t -> t.mapper(QueueMapper.class).readQueues(queues));
    }

    private @Nullable QueueRow find(String name) {
        QueueRow row = transactions.<@Nullable QueueRow>runAndRelease(
                "openQueue", t -> t.mapper(QueueMapper.class).find(name));
        if (row != null && row.id() != QueueStore.numberOf(name)) {
            throw new QueueMisuseException(
                    "queue '" + name + "' has the number " + row.id()
                            + " in acidq_queue, a row that was not written by this version of AcidQ: its number must be "
                            + QueueStore.numberOf(name)
                            + ". Delete the row if no other table has its number; otherwise create the tables again, or change the number in all of them while no engine runs");
        }
        if (row != null && row.lanes() < 1) {
            throw new QueueMisuseException("queue '" + name + "' has " + row.lanes()
                    + " lanes in acidq_queue, so AcidQ did not write this row. Count the rows of the queue in acidq_lane whose"
                    + " lane is below 1000 and whose claimed_to is below 9223372036854775807. If there are some, set lanes to their number. If there are"
                    + " none, delete the row of the queue");
        }
        return row;
    }

    /** Returns false when the name or the number exists already. */
    private boolean create(QueueRow queue) {
        return transactions.runAndRelease("openQueue", t -> {
            QueueMapper mapper = t.mapper(QueueMapper.class);
            try {
                mapper.insertQueue(queue);
            } catch (PersistenceException e) {
                if (DatabaseError.of(e) != DatabaseError.DUPLICATE_KEY) {
                    throw e;
                }
                t.setRollbackOnly();
                return false;
            }
            mapper.insertLanes(
                    queue.id(), IntStream.range(0, queue.lanes()).boxed().toList());
            return true;
        });
    }
}
