package io.acidq.engine.admin;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Archive;
import io.acidq.admin.Archive.ArchivedMessage;
import io.acidq.admin.AuditLog;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.Backlog;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.Messages;
import io.acidq.admin.Messages.MessageContent;
import io.acidq.admin.Messages.QueueInfo;
import io.acidq.admin.Operator;
import io.acidq.admin.QueueControl;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.loop.WakeUps;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.InspectionStore.Counts;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queries and actions of operators, except for dead letters ({@link DeadLetterAdmin}) and the diagnosis of a message ({@link MessageDiagnosis}). It checks
 * the arguments; the store runs each call in short transactions of its own. Thread-safe.
 */
public final class AdminService {

    private static final int MAX_ENTRIES = 10_000;
    private static final int MAX_BLOCKED_KEYS = 1_000;
    private static final int MAX_NODES = 1_000;

    private final Store store;
    private final QueueRegistry queues;
    private final PauseTracker pauseTracker;
    private final WakeUps wakeUps;
    private final Telemetry telemetry;

    public AdminService(
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
        Counts counts = store.inspection().count(id, Backlog.MOST_COUNTED);
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

    public Archive archive() {
        return new ArchivedMessages();
    }

    public BlockedKeys blockedKeys() {
        return new KeyReleases();
    }

    public AuditLog audit() {
        return new AuditEntries();
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
        public List<StoredMessage> list(String queue, @Nullable MessageState state, int limit) {
            InputChecks.checkLimit("a list of messages", limit, MAX_ENTRIES);
            return store.inspection().listMessages(queues.existing(queue), state, limit, MOST_LOOKED_AT);
        }

        @Override
        public Optional<StoredMessage> find(MessageId id) {
            Objects.requireNonNull(id, "id");
            return store.inspection().findMessage(queues.existing(id.queue()), id);
        }

        @Override
        public Optional<StoredMessage> findByKey(String queue, String key) {
            DeadLetterFilter.of(queue).withKey(Objects.requireNonNull(key, "key")); // checks the key
            return store.inspection().keyHolder(queues.existing(queue), key).flatMap(this::find);
        }

        @Override
        public Optional<MessageContent> content(MessageId id) {
            Objects.requireNonNull(id, "id");
            return store.inspection().content(queues.existing(id.queue()), id);
        }

        @Override
        public CancelResult cancel(MessageId id, Operator operator) {
            Objects.requireNonNull(operator, "operator");
            QueueRow queue = queues.existing(Objects.requireNonNull(id, "id").queue());
            return switch (store.queues().cancel(queue, id, operator)) {
                case CANCELLED -> {
                    wakeUps.wake(queue.id(), Set.of(id.lane())); // the next message of its ordering key may run
                    telemetry.cancelled(id, operator.who());
                    yield CancelResult.CANCELLED;
                }
                case ASKED -> CancelResult.ASKED;
                case GONE -> CancelResult.GONE;
                case DEAD ->
                    throw new QueueMisuseException(
                            "message " + id
                                    + " is a dead letter, which does not run: discard it instead of cancelling it (DeadLetters.discard, acidq dead discard)");
            };
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
            synchronized (AdminService.this) {
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

    private final class ArchivedMessages implements Archive {

        @Override
        public Optional<ArchivedMessage> find(MessageId id) {
            Objects.requireNonNull(id, "id");
            return store.inspection().findArchived(queues.existing(id.queue()), id.uid());
        }

        @Override
        public List<ArchivedMessage> list(String queue, Instant from, Instant until, int limit) {
            InputChecks.checkLimit("a list of the archive", limit, MAX_ENTRIES);
            InputChecks.checkTime("start of a list of the archive", Objects.requireNonNull(from, "from"));
            InputChecks.checkTime("end of a list of the archive", Objects.requireNonNull(until, "until"));
            return store.inspection().listArchived(queues.existing(queue), from, until, limit);
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
                telemetry.released(seen.head(), seen.orderingKey(), operator.who());
            }
            return released;
        }
    }

    private final class AuditEntries implements AuditLog {

        @Override
        public List<AuditEntry> of(MessageId id) {
            return store.inspection().auditOf(Objects.requireNonNull(id, "id").uid());
        }

        @Override
        public List<AuditEntry> recent(int limit) {
            InputChecks.checkLimit("recent actions", limit, MAX_ENTRIES);
            return store.inspection().recentAudit(limit);
        }
    }
}
