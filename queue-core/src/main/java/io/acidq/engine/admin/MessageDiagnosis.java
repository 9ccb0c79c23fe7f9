package io.acidq.engine.admin;

import io.acidq.MessageId;
import io.acidq.admin.ArchivedMessage;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.Diagnosis.Facts;
import io.acidq.admin.DiagnosisReason;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.listener.ListenerContainer;
import io.acidq.store.Claim;
import io.acidq.store.InspectionStore;
import io.acidq.store.InspectionStore.MessageLocation;
import io.acidq.store.InspectionStore.Table;
import io.acidq.store.Lane;
import io.acidq.store.QueueStore;
import io.acidq.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Answers why a message does not run: from its row, from what stands before it, and from what this engine holds. Locks nothing. */
public final class MessageDiagnosis {

    /** The kind of a row that calls back what was set aside; every other marker holds the place of a dead letter. */
    private static final int REFILL = 2;

    private static final int MAX_COUNTED_BEFORE = 10_000;

    private final InspectionStore store;
    private final QueueStore queues;
    private final QueueRegistry registry;
    private final IntFunction<@Nullable ListenerContainer> containers;

    /**
     * A desk of one engine.
     *
     * @param here what runs in this engine of the queue with this number; null when nothing does
     */
    public MessageDiagnosis(Store store, QueueRegistry registry, IntFunction<@Nullable ListenerContainer> here) {
        this.store = store.inspection();
        this.queues = store.queues();
        this.registry = registry;
        this.containers = here;
    }

    public Diagnosis diagnose(MessageId id) {
        Objects.requireNonNull(id, "id");
        Lane lane = new Lane(registry.existing(id.queue()).id(), id.lane());
        MessageLocation messageLocation = store.findLocation(lane, id.uid()).orElse(null);
        if (messageLocation == null) {
            ArchivedMessage done =
                    store.findArchived(registry.existing(id.queue()), id.uid()).orElse(null);
            if (done != null) {
                return new Diagnosis(
                        id,
                        DiagnosisReason.DONE,
                        "it is done since " + done.doneAt(),
                        Facts.none().withAt(done.doneAt()));
            }
            return new Diagnosis(
                    id,
                    DiagnosisReason.GONE,
                    "it is in none of the tables: done, cancelled or discarded, or its enqueue never committed",
                    Facts.none());
        }
        Question question = new Question(id, lane, messageLocation, containers.apply(lane.queue()));
        return switch (messageLocation.place()) {
            case DEAD -> diagnoseDead(question);
            case SCHEDULED -> messageLocation.due() ? diagnoseUnclaimed(question) : diagnoseNotDue(question);
            case LANE ->
                messageLocation.owner() != 0
                        ? diagnoseClaimed(question)
                        : messageLocation.due() ? diagnoseUnclaimed(question) : diagnoseNotDue(question);
        };
    }

    private static Diagnosis diagnoseDead(Question q) {
        String cause = q.location().cause().lines().findFirst().orElse("");
        return q.diagnosis(
                DiagnosisReason.DEAD,
                "it is a dead letter since " + q.location().dueAt() + ", after "
                        + q.location().attempts() + " attempts: " + cause,
                Facts.none().withAt(q.location().dueAt()).withCause(q.location().cause()));
    }

    private static Diagnosis diagnoseNotDue(Question q) {
        MessageLocation messageLocation = q.location();
        String what = messageLocation.claimNo() == 0 ? "it is not due before " : "it waits for its next attempt until ";
        String meanwhile = messageLocation.isOrdered() && messageLocation.place() == Table.LANE
                ? ", and holds up its ordering key meanwhile"
                : "";
        return q.diagnosis(
                DiagnosisReason.NOT_DUE,
                what + messageLocation.dueAt() + meanwhile,
                Facts.none().withAt(messageLocation.dueAt()));
    }

    private Diagnosis diagnoseClaimed(Question q) {
        Diagnosis.Node node = node(q.location().owner());
        Facts facts = Facts.none().withNode(node);
        ListenerContainer here = q.container();
        Duration running = here == null ? null : here.runningFor(q.claim());
        if (running != null) {
            return q.diagnosis(DiagnosisReason.RUNNING, "it runs here, in " + node + ", for " + running, facts);
        }
        if (here != null && here.knows(q.claim())) {
            return blockedByKey(q, DiagnosisReason.BUFFERED, "this engine, " + node + ", has claimed it, and ", facts)
                    .or(() -> blockedByGuard(
                            q, DiagnosisReason.BUFFERED, "this engine, " + node + ", has claimed it, and ", facts))
                    .orElseGet(() -> q.diagnosis(
                            DiagnosisReason.BUFFERED,
                            "this engine, " + node + ", has claimed it and starts it when "
                                    + (q.location().crashes() > 0
                                            ? "nothing else of its queue runs here: processes ended while it ran"
                                            : "a worker is free"),
                            facts));
        }
        return node.alive()
                ? q.diagnosis(DiagnosisReason.CLAIMED, node + " has claimed it: it runs there, or is about to", facts)
                : q.diagnosis(
                        DiagnosisReason.ORPHANED,
                        node + " had claimed it and does not live any more: the others will free it",
                        facts);
    }

    private Diagnosis diagnoseUnclaimed(Question q) {
        if (!queues.paused(List.of(q.lane().queue())).isEmpty()) {
            return q.diagnosis(
                    DiagnosisReason.PAUSED,
                    "queue '" + q.id().queue() + "' is paused, until an operator resumes it",
                    Facts.none());
        }
        if (!store.isServed(q.lane().queue())) {
            return q.diagnosis(
                    DiagnosisReason.NO_LISTENER,
                    "no living node has a listener of queue '" + q.id().queue() + "'",
                    Facts.none());
        }
        if (q.location().place() == Table.SCHEDULED) {
            return q.diagnosis(
                    DiagnosisReason.READY,
                    "its due time has come: an engine moves it into its lane within moments",
                    Facts.none().withAt(q.location().dueAt()));
        }
        ListenerContainer here = q.container();
        if (q.location().isOrdered() && here != null && !here.strategy().keepsOrder()) {
            return q.diagnosis(
                    DiagnosisReason.STRATEGY_IGNORES_ORDERING_KEYS,
                    "it has an ordering key, and this engine claims by " + here.strategy()
                            + ", which leaves those alone: set the strategy of queue '" + q.id().queue() + "' to LANES",
                    Facts.none());
        }
        return blockedByKey(q, DiagnosisReason.BEHIND_EARLIER_MESSAGE, "", Facts.none())
                .or(() -> blockedByGuard(q, DiagnosisReason.GUARDED, "in this engine ", Facts.none()))
                .orElseGet(() -> diagnoseReady(q));
    }

    private Diagnosis diagnoseReady(Question q) {
        int before = store.countBefore(q.lane(), q.location().id(), MAX_COUNTED_BEFORE);
        Facts facts = Facts.none().withBefore(before);
        if (q.location().crashes() > 0) {
            return q.diagnosis(
                    DiagnosisReason.SUSPECT,
                    q.location().crashes()
                            + " processes ended while it ran: it runs alone, when nothing else of its queue runs in a node",
                    facts);
        }
        return q.diagnosis(
                DiagnosisReason.READY,
                "nothing holds it back: it runs as soon as a worker is free; " + before
                        + " stand before it in its lane",
                facts);
    }

    private static Optional<Diagnosis> blockedByGuard(Question q, DiagnosisReason reason, String who, Facts facts) {
        ListenerContainer here = q.container();
        return here == null
                ? Optional.empty()
                : here.blockingGuard()
                        .map(guard -> q.diagnosis(reason, who + guard, facts.withGuard(guard.toString())));
    }

    private Optional<Diagnosis> blockedByKey(Question q, DiagnosisReason reason, String who, Facts facts) {
        return store.findBlocking(q.lane(), q.location()).map(first -> {
            MessageId before = new MessageId(q.id().queue(), q.id().lane(), first.uid());
            Facts known = facts.withClosedBy(before);
            Diagnosis.Node node = first.owner() == 0 ? null : node(first.owner());
            return q.diagnosis(
                    reason,
                    who + "message " + before + " stands before it with the same ordering key: "
                            + describe(first, node),
                    node == null ? known : known.withNode(node));
        });
    }

    /** What the first of an ordering key does. */
    private static String describe(MessageLocation first, Diagnosis.@Nullable Node node) {
        if (first.kind() != 0) {
            return first.kind() == REFILL
                    ? "it is the first of a crowd that was set aside and comes back"
                    : "it is dead, and its place is held until it is replayed, discarded or released";
        }
        if (node != null) {
            return node.alive() ? "it is claimed by " + node : "it was claimed by " + node + ", which lives no more";
        }
        if (!first.due()) {
            return "it waits for its next attempt until " + first.dueAt();
        }
        return first.crashes() > 0 ? "it is a suspect, and must run alone" : "it is ready itself";
    }

    private Diagnosis.Node node(int number) {
        return store.node(number)
                .map(n -> new Diagnosis.Node(number, n.alive(), n.host(), Optional.of(n.startedAt())))
                .orElse(new Diagnosis.Node(number, false, "", Optional.empty()));
    }

    /**
     * The message that is asked about, and what is known of it at first.
     *
     * @param location its row
     * @param container  what runs of its queue in this engine
     */
    private record Question(
            MessageId id,
            Lane lane,
            MessageLocation location,
            @Nullable ListenerContainer container) {

        Diagnosis diagnosis(DiagnosisReason reason, String text, Facts facts) {
            return new Diagnosis(id, reason, text, facts);
        }

        /** The claim that holds it. */
        Claim claim() {
            return new Claim(
                    lane.queue(), lane.lane(), location.id(), location.uid(), location.owner(), location.claimNo());
        }
    }
}
