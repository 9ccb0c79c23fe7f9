package io.acidq.engine.admin;

import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Archive;
import io.acidq.admin.ArchivedMessage;
import io.acidq.admin.AuditEntry;
import io.acidq.admin.AuditLog;
import io.acidq.admin.Backlog;
import io.acidq.admin.BlockedKey;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.MessageContent;
import io.acidq.admin.MessageState;
import io.acidq.admin.Messages;
import io.acidq.admin.QueueControl;
import io.acidq.admin.QueueInfo;
import io.acidq.admin.StoredMessage;
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
 * What operators read and do, except for dead letters ({@link DeadLetterAdmin}) and the diagnosis of a message ({@link MessageDiagnosis}). Each call is checked
 * here and runs as short transactions of the store. Thread-safe.
 */
public final class AdminService {

    private static final int MAX_ENTRIES = 10_000;
    private static final int MAX_BLOCKED_KEYS = 1_000;
    private static final int MAX_NODES = 1_000;
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    private final Store store;
    private final QueueRegistry queues;
    private final PauseTracker pauseTracker;
    private final WakeUps wakeUps;
    private final Telemetry telemetry;

    public AdminService(Store store, QueueRegistry queues, PauseTracker pauses, WakeUps signals, Telemetry telemetry) {
        this.store = store;
        this.queues = queues;
        this.pauseTracker = pauses;
        this.wakeUps = signals;
        this.telemetry = telemetry;
    }

    /** The messages of a queue by state, counted up to a limit. */
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
                Optional.ofNullable(store.inspection().oldestUnclaimed(id)));
    }

    public Messages messages() {
        return new StoredMessages();
    }

    public QueueControl control() {
        return new PauseControl();
    }

    public Archive archive() {
        return new DoneMessages();
    }

    public BlockedKeys blockedKeys() {
        return new KeyReleases();
    }

    public AuditLog audit() {
        return new AuditEntries();
    }

    private static void checkLimit(String what, int limit, int max) {
        if (limit < 1 || limit > max) {
            throw new QueueMisuseException("the limit of " + what + " must be 1 to " + max + ", was " + limit);
        }
    }

    private final class StoredMessages implements Messages {

        @Override
        public List<QueueInfo> queues(int limit) {
            checkLimit("a list of queues", limit, MAX_ENTRIES);
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
            checkLimit("a list of messages", limit, MAX_ENTRIES);
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
    }

    private final class PauseControl implements QueueControl {

        @Override
        public boolean pause(String queue, String who, String why) {
            return change(queue, BulkAction.by(who, why), true);
        }

        @Override
        public boolean resume(String queue, String who, String why) {
            return change(queue, BulkAction.by(who, why), false);
        }

        @Override
        public boolean isPaused(String queue) {
            return !store.queues().paused(List.of(queues.existing(queue).id())).isEmpty();
        }

        /** One change at a time, so that this engine hears of two changes in the order in which the database made them. */
        private boolean change(String queue, BulkAction action, boolean pause) {
            synchronized (AdminService.this) {
                QueueRow row = queues.existing(queue);
                pauseTracker.actionBegins();
                boolean changed = pause
                        ? store.queues().pauseIfRunning(row.id(), action.who(), action.why())
                        : store.queues().resumeIfPaused(row.id(), action.who(), action.why());
                if (changed) {
                    pauseTracker.actionDone(row, pause);
                }
                return changed;
            }
        }
    }

    private final class DoneMessages implements Archive {

        @Override
        public Optional<ArchivedMessage> find(MessageId id) {
            Objects.requireNonNull(id, "id");
            return store.inspection().findArchived(queues.existing(id.queue()), id.uid());
        }

        @Override
        public List<ArchivedMessage> list(String queue, Instant from, Instant until, int limit) {
            checkLimit("a list of the archive", limit, MAX_ENTRIES);
            if (from.isBefore(EARLIEST) || until.isAfter(LATEST)) {
                throw new QueueMisuseException(
                        "the times of a list of the archive must lie between 1970 and 9999, were " + from + " and "
                                + until);
            }
            return store.inspection().listArchived(queues.existing(queue), from, until, limit);
        }
    }

    private final class KeyReleases implements BlockedKeys {

        @Override
        public List<BlockedKey> list(String queue, int limit) {
            checkLimit("blocked keys", limit, MAX_BLOCKED_KEYS);
            return store.dead().blockedKeys(queues.existing(queue), limit);
        }

        @Override
        public boolean release(BlockedKey seen, String who, String why) {
            BulkAction action = BulkAction.by(who, why);
            Objects.requireNonNull(seen, "seen");
            QueueRow queue = queues.existing(seen.head().queue());
            boolean released = store.dead()
                    .find(queue, seen.head().uid())
                    .filter(letter -> letter.isHolding() && letter.diedAt().equals(seen.since()))
                    .map(letter ->
                            store.dead().releaseIfHolding(new OperatorAction(action.who(), action.why(), null), letter))
                    .map(actionResult -> actionResult.changed() == 1)
                    .orElse(false);
            if (released) {
                wakeUps.wake(queue.id(), Set.of(seen.head().lane()));
                telemetry.released(seen.head(), seen.orderingKey(), action.who());
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
            checkLimit("recent actions", limit, MAX_ENTRIES);
            return store.inspection().recentAudit(limit);
        }
    }
}
