package io.acidq.engine.admin;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Backlog;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters.BulkResult;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.MessageFilter;
import io.acidq.admin.MessageQuery;
import io.acidq.admin.Messages;
import io.acidq.admin.Messages.BulkCancellation;
import io.acidq.admin.Messages.MessageContent;
import io.acidq.admin.Messages.QueueInfo;
import io.acidq.admin.Operator;
import io.acidq.admin.QueueControl;
import io.acidq.admin.StoredMessage;
import io.acidq.engine.enqueue.LaneAssignment;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.InspectionStore.Counts;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.store.QueueStore.CancelPlace;
import io.acidq.store.QueueStore.Cancellable;
import io.acidq.store.QueueStore.CancelledMessages;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Reads and changes queues, their messages and their blocked keys for operators. It checks
 * the arguments; the store runs each call in short transactions of its own. Thread-safe.
 */
public final class QueueAdmin {

    private static final int MAX_ENTRIES = 10_000;
    private static final int MAX_BLOCKED_KEYS = 1_000;
    private static final int MAX_NODES = 1_000;
    private static final int MAX_SLOTS = 60;

    private final Store store;
    private final QueueRegistry queues;
    private final PauseTracker pauseTracker;
    private final WakeUps wakeUps;
    private final Telemetry telemetry;

    public QueueAdmin(
            Store store, QueueRegistry queues, PauseTracker pauseTracker, WakeUps wakeUps, Telemetry telemetry) {
        this.store = store;
        this.queues = queues;
        this.pauseTracker = pauseTracker;
        this.wakeUps = wakeUps;
        this.telemetry = telemetry;
    }

    /** Counts the messages of a queue by state, up to a limit. */
    public Backlog backlog(String queue) {
        int id = queues.existing(queue).id();
        Counts counts = store.inspection().count(id, Backlog.MAX_COUNTED);
        return new Backlog(
                queue,
                counts.ready(),
                counts.running(),
                counts.waiting(),
                counts.scheduled(),
                counts.dead(),
                counts.high(),
                counts.low(),
                Optional.ofNullable(store.inspection().oldestUnclaimed(id)));
    }

    public Messages messages() {
        return new StoredMessages();
    }

    public QueueControl control() {
        return new PauseControl();
    }

    public BlockedKeys blockedKeys() {
        return new KeyReleases();
    }

    private final class StoredMessages implements Messages {

        @Override
        public List<QueueInfo> queues(int limit) {
            InputChecks.checkLimit("a list of queues", limit, MAX_ENTRIES);
            List<LivingNode> nodes = store.inspection().livingNodes(MAX_NODES);
            return store.inspection().queues(limit).stream()
                    .map(q -> new QueueInfo(
                            q.name(),
                            q.paused(),
                            nodes.stream()
                                    .filter(n -> n.workers().containsKey(q.id()))
                                    .map(n -> new Diagnosis.Node(n.node(), true, n.host(), Optional.of(n.started())))
                                    .toList()))
                    .toList();
        }

        @Override
        public MessageSlice list(MessageQuery query) {
            QueueRow queue =
                    queues.existing(Objects.requireNonNull(query, "query").queue());
            String key = query.orderingKey();
            Integer lane = key == null ? null : LaneAssignment.ofKey(queue, key);
            return store.inspection().listMessages(queue, query, lane, MAX_SCANNED);
        }

        @Override
        public Optional<StoredMessage> find(MessageId id) {
            Objects.requireNonNull(id, "id");
            return store.inspection().findMessage(queues.existing(id.queue()), id);
        }

        @Override
        public Optional<StoredMessage> findByKey(String queue, String key) {
            return keyHolder(queue, key).flatMap(this::find);
        }

        @Override
        public Optional<MessageId> keyHolder(String queue, String key) {
            DeadLetterFilter.of(queue).withKey(Objects.requireNonNull(key, "key")); // checks the key
            return store.inspection().keyHolder(queues.existing(queue), key);
        }

        @Override
        public Optional<MessageContent> content(MessageId id) {
            Objects.requireNonNull(id, "id");
            return store.inspection().content(queues.existing(id.queue()), id);
        }

        @Override
        public List<ScheduledSlot> scheduledBetween(String queue, Instant from, Instant until, int slots) {
            InputChecks.checkLimit("the slots", slots, MAX_SLOTS);
            InputChecks.checkTime("beginning of the slots", Objects.requireNonNull(from, "from"));
            InputChecks.checkTime("end of the slots", Objects.requireNonNull(until, "until"));
            Duration slot = Duration.between(from, until).dividedBy(slots);
            InputChecks.require(
                    slot.toMillis() > 0,
                    "a slot must take a millisecond or more, but from " + from + " to " + until + " there are "
                            + slots);
            List<Instant> bounds = new ArrayList<>();
            for (int i = 0; i < slots; i++) {
                bounds.add(from.plus(slot.multipliedBy(i)));
            }
            bounds.add(until);
            List<Integer> counts =
                    store.inspection().countScheduled(queues.existing(queue).id(), bounds, MAX_COUNTED_IN_SLOT + 1);
            List<ScheduledSlot> found = new ArrayList<>();
            for (int i = 0; i < slots; i++) {
                int count = counts.get(i);
                found.add(new ScheduledSlot(
                        bounds.get(i),
                        bounds.get(i + 1),
                        Math.min(count, MAX_COUNTED_IN_SLOT),
                        count <= MAX_COUNTED_IN_SLOT));
            }
            return found;
        }

        @Override
        public List<MessageCrash> crashes(MessageId id) {
            queues.existing(Objects.requireNonNull(id, "id").queue());
            return store.inspection().crashes(id.uid());
        }

        @Override
        public CancelResult cancel(MessageId id, Operator operator) {
            Objects.requireNonNull(operator, "operator");
            QueueRow queue = queues.existing(Objects.requireNonNull(id, "id").queue());
            return switch (store.queues().cancel(queue, id, operator)) {
                case CANCELLED -> {
                    wakeUps.wake(queue.id(), Set.of(id.lane())); // the next message of its ordering key may run
                    telemetry.cancelled(id, operator.actor());
                    yield CancelResult.CANCELLED;
                }
                case REQUESTED -> CancelResult.REQUESTED;
                case GONE -> CancelResult.GONE;
                case DEAD ->
                    throw new QueueMisuseException(
                            "message " + id
                                    + " is a dead letter, which does not run: discard it instead of cancelling it (DeadLetters.discard, acidq dead discard)");
            };
        }

        @Override
        public BulkCancellation cancel(MessageFilter filter, BulkAction action) {
            Objects.requireNonNull(filter, "filter");
            Objects.requireNonNull(action, "action");
            return new BulkCancel(queues.existing(filter.queue()), action).run(filter);
        }
    }

    /** One bulk cancellation. Used by one thread. */
    private final class BulkCancel {

        private final QueueRow queue;
        private final BulkAction action;
        private int requested;
        private int cancelled;

        BulkCancel(QueueRow queue, BulkAction action) {
            this.queue = queue;
            this.action = action;
        }

        BulkCancellation run(MessageFilter filter) {
            String key = filter.orderingKey();
            Integer lane = key == null ? null : LaneAssignment.ofKey(queue, key);
            List<Cancellable> picked = store.queues().pickForCancel(queue, filter, lane, action.limit());
            boolean complete = picked.size() < action.limit();
            if (action.dryRun()) {
                int claimed = (int) picked.stream()
                        .filter(message -> message.place() == CancelPlace.CLAIMED)
                        .count();
                return new BulkCancellation(true, picked.size() - claimed, claimed, 0, complete);
            }
            BulkRunner runner = new BulkRunner(action, queue, filter.toString(), picked.size(), status -> true);
            BulkResult result;
            try {
                result = runner.runChunks(chunks(picked, runner.chunkSize()), this::cancel);
            } finally {
                if (cancelled > 0) {
                    telemetry.bulkCancelled(
                            queue.name(), cancelled, action.operator().actor());
                }
            }
            return new BulkCancellation(false, result.changed() - requested, requested, result.lost(), complete);
        }

        /** Divides messages into chunks of one place and one lane. */
        private static List<List<Cancellable>> chunks(List<Cancellable> messages, int max) {
            List<List<Cancellable>> chunks = new ArrayList<>();
            List<Cancellable> chunk = new ArrayList<>();
            for (Cancellable message : messages) {
                boolean fits = !chunk.isEmpty()
                        && chunk.size() < max
                        && chunk.get(0).place() == message.place()
                        && chunk.get(0).lane() == message.lane();
                if (!fits) {
                    chunk = new ArrayList<>();
                    chunks.add(chunk);
                }
                chunk.add(message);
            }
            return chunks;
        }

        private ActionResult cancel(OperatorAction operatorAction, List<Cancellable> chunk) {
            if (chunk.get(0).place() == CancelPlace.CLAIMED) {
                return requestCancel(operatorAction, chunk);
            }
            CancelledMessages result = store.queues().cancelAll(operatorAction, queue, chunk);
            int changed = result.cancelled().size();
            if (changed > 0) {
                cancelled += changed;
                wakeUps.wake(queue.id(), Set.of(chunk.get(0).lane()));
            }
            return new ActionResult(changed, chunk.size() - changed, 0, result.bulk());
        }

        /** Requests the cancel of claimed messages, each in a transaction of its own with its own entry in the audit log. */
        private ActionResult requestCancel(OperatorAction operatorAction, List<Cancellable> chunk) {
            int changed = 0;
            for (Cancellable message : chunk) {
                switch (store.queues().cancel(queue, id(message), action.operator())) {
                    case CANCELLED -> {
                        changed++;
                        cancelled++;
                        wakeUps.wake(queue.id(), Set.of(message.lane()));
                    }
                    case REQUESTED -> {
                        changed++;
                        requested++;
                    }
                    default -> {} // it has ended
                }
            }
            BulkProgress progress = Objects.requireNonNull(operatorAction.bulk());
            return new ActionResult(changed, chunk.size() - changed, 0, progress.id());
        }

        private MessageId id(Cancellable message) {
            return new MessageId(queue.name(), message.lane(), message.uid());
        }
    }

    private final class PauseControl implements QueueControl {

        @Override
        public boolean pause(String queue, Operator operator) {
            return change(queue, operator, true);
        }

        @Override
        public boolean resume(String queue, Operator operator) {
            return change(queue, operator, false);
        }

        @Override
        public boolean isPaused(String queue) {
            return !store.queues().paused(List.of(queues.existing(queue).id())).isEmpty();
        }

        /** One change at a time, so that the pause tracker learns of changes in the order in which the database made them. */
        private boolean change(String queue, Operator operator, boolean pause) {
            Objects.requireNonNull(operator, "operator");
            synchronized (QueueAdmin.this) {
                QueueRow row = queues.existing(queue);
                pauseTracker.actionBegins();
                boolean changed = pause
                        ? store.queues().pauseIfRunning(row.id(), operator)
                        : store.queues().resumeIfPaused(row.id(), operator);
                if (changed) {
                    pauseTracker.actionDone(row, pause);
                }
                return changed;
            }
        }
    }

    private final class KeyReleases implements BlockedKeys {

        @Override
        public List<BlockedKey> list(String queue, int limit) {
            InputChecks.checkLimit("blocked keys", limit, MAX_BLOCKED_KEYS);
            return store.dead().blockedKeys(queues.existing(queue), limit);
        }

        @Override
        public Optional<BlockedKey> find(String queue, String orderingKey) {
            DeadLetterFilter.of(queue)
                    .withOrderingKey(Objects.requireNonNull(orderingKey, "orderingKey")); // checks the key
            return store.dead().findBlockedKey(queues.existing(queue), orderingKey);
        }

        @Override
        public boolean release(BlockedKey seen, Operator operator) {
            Objects.requireNonNull(seen, "seen");
            Objects.requireNonNull(operator, "operator");
            QueueRow queue = queues.existing(seen.head().queue());
            boolean released = store.dead()
                    .find(queue, seen.head().uid())
                    .filter(letter -> letter.isHolding() && letter.diedAt().equals(seen.since()))
                    .map(letter -> store.dead().releaseIfHolding(OperatorAction.of(operator), letter))
                    .map(actionResult -> actionResult.changed() == 1)
                    .orElse(false);
            if (released) {
                wakeUps.wake(queue.id(), Set.of(seen.head().lane()));
                telemetry.released(seen.head(), seen.orderingKey(), operator.actor());
            }
            return released;
        }
    }
}
