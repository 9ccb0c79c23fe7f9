package io.acidq.engine.admin;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.admin.BulkAction;
import io.acidq.admin.BulkCallback;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterGroupFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.DeadLetters.BulkResult;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
import io.acidq.admin.DeadLetters.DeadLetterGroups;
import io.acidq.admin.Operator;
import io.acidq.codec.Headers;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.DeadLetterStore;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.Cause;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.telemetry.Telemetry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists, replays and discards dead letters. Thread-safe. */
public final class DeadLetterAdmin implements DeadLetters {

    private static final int MAX_COUNTED = 100_000;

    private final DeadLetterStore store;
    private final QueueRegistry queues;
    private final WakeUps wakeUps;
    private final Telemetry telemetry;
    private final int maxPayloadBytes;
    private final OperatorAction defaultAction = new OperatorAction("api " + NodeContext.processName(), "", null);

    public DeadLetterAdmin(
            DeadLetterStore store, QueueRegistry queues, WakeUps wakeUps, Telemetry telemetry, int maxPayloadBytes) {
        this.store = store;
        this.queues = queues;
        this.wakeUps = wakeUps;
        this.telemetry = telemetry;
        this.maxPayloadBytes = maxPayloadBytes;
    }

    @Override
    public DeadLetterGroups groups(DeadLetterGroupFilter filter) {
        Objects.requireNonNull(filter, "filter");
        List<Group> found = new ArrayList<>();
        boolean complete = filter.queues().isEmpty() ? addOfAllQueues(filter, found) : addOfNamedQueues(filter, found);
        List<DeadLetterGroup> groups = found.stream()
                .sorted(Comparator.comparing((Group group) -> group.cause().lastDiedAt())
                        .reversed()
                        .thenComparing(group -> group.queue().name())
                        .thenComparing(group -> group.cause().digits()))
                .limit(filter.limit())
                .map(group -> counted(group, filter.maxCounted()))
                .filter(group -> group.letters() > 0) // else replayed or discarded since
                .toList();
        return new DeadLetterGroups(groups, complete && found.size() <= filter.limit());
    }

    private boolean addOfAllQueues(DeadLetterGroupFilter filter, List<Group> found) {
        boolean complete = true;
        Optional<QueueRow> next = store.nextQueueWithDeadLetters(Integer.MIN_VALUE);
        while (next.isPresent()) {
            complete &= addOf(next.get(), filter, found);
            if (found.size() >= DeadLetterGroupFilter.MAX_GROUPS || next.get().id() == Integer.MAX_VALUE) {
                return complete && found.size() < DeadLetterGroupFilter.MAX_GROUPS;
            }
            next = store.nextQueueWithDeadLetters(next.get().id());
        }
        return complete;
    }

    private boolean addOfNamedQueues(DeadLetterGroupFilter filter, List<Group> found) {
        boolean complete = true;
        for (String name : filter.queues()) {
            if (found.size() >= DeadLetterGroupFilter.MAX_GROUPS) {
                return false;
            }
            complete &= addOf(queues.existing(name), filter, found);
        }
        return complete;
    }

    /** Returns whether these are all groups of the queue. */
    private boolean addOf(QueueRow queue, DeadLetterGroupFilter filter, List<Group> found) {
        int limit =
                Math.min(DeadLetterGroupFilter.MAX_GROUPS_OF_QUEUE, DeadLetterGroupFilter.MAX_GROUPS - found.size());
        List<Cause> causes = store.causes(queue, filter.cause(), limit + 1);
        causes.stream().limit(limit).forEach(cause -> found.add(new Group(queue, cause)));
        return causes.size() <= limit;
    }

    private DeadLetterGroup counted(Group group, int limit) {
        Cause cause = group.cause();
        int letters = store.countCause(group.queue(), cause.digits(), limit + 1);
        return new DeadLetterGroup(
                group.queue().name(),
                cause.digits(),
                Math.min(letters, limit),
                letters <= limit,
                cause.firstDiedAt(),
                cause.lastDiedAt(),
                cause.error(),
                cause.type());
    }

    /** A group whose letters are not counted. */
    private record Group(QueueRow queue, Cause cause) {}

    @Override
    public long count(DeadLetterFilter filter) {
        return store.count(queueOf(filter), filter);
    }

    @Override
    public List<DeadLetter> list(DeadLetterFilter filter, DeadLetterPage page) {
        return store.list(queueOf(filter), filter, Objects.requireNonNull(page, "page"));
    }

    @Override
    public DeadLetterSlice slice(DeadLetterFilter filter, DeadLetterPage page) {
        return store.slice(queueOf(filter), filter, Objects.requireNonNull(page, "page"), MAX_SCANNED);
    }

    @Override
    public int count(DeadLetterFilter filter, int limit) {
        InputChecks.checkLimit("a count of dead letters", limit, MAX_COUNTED);
        return store.count(queueOf(filter), filter, limit);
    }

    @Override
    public boolean replay(MessageId id) {
        return replay(id, defaultAction);
    }

    @Override
    public boolean replay(MessageId id, Operator operator) {
        return replay(id, OperatorAction.of(operator));
    }

    @Override
    public BulkResult replay(DeadLetterFilter filter, BulkAction action, BulkCallback callback) {
        QueueRow queue = queueOf(filter);
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(callback, "callback");
        List<Letter> letters = BulkRunner.inReplayOrder(store.pick(queue, filter, action.limit()));
        long matched = matched(queue, filter, action, letters);
        if (action.dryRun()) {
            int taken = BulkRunner.chunks(letters, BulkRunner.LETTERS_PER_TRANSACTION).stream()
                    .mapToInt(store::countTakenKeys)
                    .sum();
            return new BulkResult(true, matched, letters.size() - taken, 0, taken);
        }
        BulkRunner run = new BulkRunner(action, queue, filter.toString(), matched, callback);
        try {
            return run.run(
                    letters, (operatorAction, chunk) -> store.replayIfDead(recorded(operatorAction, filter), chunk));
        } finally {
            replayed(filter.queue(), letters, run.changed(), action.operator().actor());
        }
    }

    @Override
    public boolean editAndReplay(DeadLetter seen, byte[] payload, Operator operator) {
        return edit(seen, payload, null, operator);
    }

    @Override
    public boolean editAndReplay(DeadLetter seen, byte[] payload, Map<String, String> headers, Operator operator) {
        Objects.requireNonNull(headers, "headers").forEach(InputChecks::checkHeader);
        return edit(seen, payload, Headers.encode(headers), operator);
    }

    private boolean edit(DeadLetter seen, byte[] payload, @Nullable String headers, Operator operator) {
        Objects.requireNonNull(seen, "seen");
        Objects.requireNonNull(payload, "payload");
        if (payload.length > maxPayloadBytes) {
            throw new MessageRejectedException("a payload of " + payload.length + " bytes for " + seen.id()
                    + " exceeds the limit of " + maxPayloadBytes
                    + " bytes: shorten it, or raise maxPayloadBytes (acidq.max-payload-size)");
        }
        OperatorAction operatorAction = OperatorAction.of(operator);
        return replay(
                seen.id(),
                operatorAction,
                letter -> letter.diedAt().equals(seen.diedAt())
                        ? store.editIfDead(operatorAction, letter, payload, headers)
                        : new ActionResult(0, 1, 0, 0));
    }

    @Override
    public boolean discard(MessageId id) {
        return discard(id, defaultAction);
    }

    @Override
    public boolean discard(MessageId id, Operator operator) {
        return discard(id, OperatorAction.of(operator));
    }

    @Override
    public BulkResult discard(DeadLetterFilter filter, BulkAction action, BulkCallback callback) {
        QueueRow queue = queueOf(filter);
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(callback, "callback");
        List<Letter> letters = store.pick(queue, filter, action.limit());
        long matched = matched(queue, filter, action, letters);
        if (action.dryRun()) {
            return new BulkResult(true, matched, letters.size(), 0, 0);
        }
        BulkRunner run = new BulkRunner(action, queue, filter.toString(), matched, callback);
        try {
            return run.run(
                    letters, (operatorAction, chunk) -> store.discardIfDead(recorded(operatorAction, filter), chunk));
        } finally {
            discarded(filter.queue(), letters, run.changed(), action.operator().actor());
        }
    }

    /** Returns the action as the audit log records it: on one message if the filter names it, otherwise as part of a bulk action. */
    private static OperatorAction recorded(OperatorAction bulk, DeadLetterFilter filter) {
        return filter.id() == null ? bulk : new OperatorAction(bulk.actor(), bulk.reason(), null);
    }

    private boolean replay(MessageId id, OperatorAction operatorAction) {
        return replay(id, operatorAction, letter -> store.replayIfDead(operatorAction, List.of(letter)));
    }

    private boolean replay(MessageId id, OperatorAction operatorAction, Function<Letter, ActionResult> transaction) {
        Letter letter = find(id).orElse(null);
        if (letter == null) {
            return false;
        }
        ActionResult actionResult = transaction.apply(letter);
        if (actionResult.keyTaken() > 0) {
            throw new QueueMisuseException("message " + id + " was not replayed: another message now holds its message"
                    + " key. Discard this message, or replay it when the other one is done and the key is free");
        }
        replayed(id.queue(), List.of(letter), actionResult.changed(), operatorAction.actor());
        return actionResult.changed() == 1;
    }

    private boolean discard(MessageId id, OperatorAction operatorAction) {
        List<Letter> letters = find(id).stream().toList();
        int changed = letters.isEmpty()
                ? 0
                : store.discardIfDead(operatorAction, letters).changed();
        discarded(id.queue(), letters, changed, operatorAction.actor());
        return changed == 1;
    }

    private QueueRow queueOf(DeadLetterFilter filter) {
        return queues.existing(Objects.requireNonNull(filter, "filter").queue());
    }

    private Optional<Letter> find(MessageId id) {
        return store.find(queues.existing(Objects.requireNonNull(id, "id").queue()), id.uid());
    }

    /** Counts the letters that match. When fewer than the limit were picked, these are all of them. */
    private long matched(QueueRow queue, DeadLetterFilter filter, BulkAction action, List<Letter> picked) {
        return picked.size() < action.limit() ? picked.size() : Math.max(picked.size(), store.count(queue, filter));
    }

    private void replayed(String queue, List<Letter> letters, int changed, String actor) {
        if (changed > 0) {
            wakePollers(queue, letters.stream());
            telemetry.replayed(queue, changed, actor);
        }
    }

    private void discarded(String queue, List<Letter> letters, int changed, String actor) {
        if (changed > 0) {
            wakePollers(queue, letters.stream().filter(Letter::isHolding));
            telemetry.discarded(queue, changed, actor);
        }
    }

    private void wakePollers(String queue, Stream<Letter> letters) {
        wakeUps.wake(QueueStore.numberOf(queue), letters.map(Letter::lane).collect(Collectors.toSet()));
    }
}
