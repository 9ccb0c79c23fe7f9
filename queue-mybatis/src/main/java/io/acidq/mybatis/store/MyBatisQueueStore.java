package io.acidq.mybatis.store;

import io.acidq.DeadHeadPolicy;
import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.QueueMapper.QueueStateChange;
import io.acidq.store.DatabaseError;
import io.acidq.store.Lane;
import io.acidq.store.QueueStore;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.ibatis.exceptions.PersistenceException;
import org.jspecify.annotations.Nullable;

/** Adds queues with their lanes, pauses and resumes them. */
public final class MyBatisQueueStore implements QueueStore {

    private final StoreTransactions transactions;

    public MyBatisQueueStore(StoreTransactions transactions) {
        this.transactions = transactions;
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

    @Override
    public void openDirectLanes(Collection<QueueRow> queues) {
        Set<Lane> missing = queues.stream()
                .sorted(Comparator.comparingInt(
                        QueueRow::id)) // nodes that start at the same time lock in the same order
                .flatMap(queue -> IntStream.range(queue.lanes(), queue.lanes() + DIRECT_LANES)
                        .mapToObj(lane -> new Lane(queue.id(), lane)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (missing.isEmpty()) {
            return;
        }
        transactions.runAndRelease("openDirectLanes", t -> {
            QueueMapper mapper = t.mapper(QueueMapper.class);
            mapper.directLanes(queues.stream().map(QueueRow::id).toList()).forEach(missing::remove);
            return missing.isEmpty() ? 0 : mapper.insertDirectLanes(missing);
        });
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
    public boolean pauseIfRunning(int queue, String actor, String reason) {
        return setPaused(new QueueStateChange(queue, true, "pause", actor, reason));
    }

    @Override
    public boolean resumeIfPaused(int queue, String actor, String reason) {
        return setPaused(new QueueStateChange(queue, false, "resume", actor, reason));
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
    public Set<Integer> paused(Collection<Integer> queues) {
        return transactions.readInTurn(
                "paused", t -> Set.copyOf(t.mapper(QueueMapper.class).paused(queues)));
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
                    + " claimed_to is below 9223372036854775807. If there are some, set lanes to their number. If there are"
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
