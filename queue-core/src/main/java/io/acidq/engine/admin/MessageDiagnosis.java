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

    private static final int MOST_BEFORE = 10_000;

    private final InspectionStore store;
    private final QueueStore queues;
    private final QueueRegistry registry;
    private final IntFunction<@Nullable ListenerContainer> here;

    /**
     * A desk of one engine.
     *
     * @param here what runs in this engine of the queue with this number; null when nothing does
     */
    public MessageDiagnosis(Store store, QueueRegistry registry, IntFunction<@Nullable ListenerContainer> here) {
        this.store = store.inspection();
        this.queues = store.queues();
        this.registry = registry;
        this.here = here;
    }

    public Diagnosis why(MessageId id) {
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
        Question question = new Question(id, lane, messageLocation, here.apply(lane.queue()));
        return switch (messageLocation.place()) {
            case DEAD -> dead(question);
            case SCHEDULED -> messageLocation.due() ? free(question) : notDue(question);
            case LANE ->
                messageLocation.owner() != 0
                        ? claimed(question)
                        : messageLocation.due() ? free(question) : notDue(question);
        };
    }

    private static Diagnosis dead(Question q) {
        String cause = q.place().cause().lines().findFirst().orElse("");
        return q.because(
                DiagnosisReason.DEAD,
                "it is a dead letter since " + q.place().dueAt() + ", after "
                        + q.place().attempts() + " attempts: " + cause,
                Facts.none().withAt(q.place().dueAt()).withCause(q.place().cause()));
    }

    private static Diagnosis notDue(Question q) {
        MessageLocation messageLocation = q.place();
        String what = messageLocation.claimNo() == 0 ? "it is not due before " : "it waits for its next attempt until ";
        String meanwhile = messageLocation.isOrdered() && messageLocation.place() == Table.LANE
                ? ", and holds up its ordering key meanwhile"
                : "";
        return q.because(
                DiagnosisReason.NOT_DUE,
                what + messageLocation.dueAt() + meanwhile,
                Facts.none().withAt(messageLocation.dueAt()));
    }

    private Diagnosis claimed(Question q) {
        Diagnosis.Node node = node(q.place().owner());
        Facts facts = Facts.none().withNode(node);
        ListenerContainer here = q.here();
        Duration running = here == null ? null : here.runningFor(q.claim());
        if (running != null) {
            return q.because(DiagnosisReason.RUNNING, "it runs here, in " + node + ", for " + running, facts);
        }
        if (here != null && here.knows(q.claim())) {
            return closed(q, DiagnosisReason.BUFFERED, "this engine, " + node + ", has claimed it, and ", facts)
                    .or(() -> guarded(
                            q, DiagnosisReason.BUFFERED, "this engine, " + node + ", has claimed it, and ", facts))
                    .orElseGet(() -> q.because(
                            DiagnosisReason.BUFFERED,
                            "this engine, " + node + ", has claimed it and starts it when "
                                    + (q.place().crashes() > 0
                                            ? "nothing else of its queue runs here: processes ended while it ran"
                                            : "a worker is free"),
                            facts));
        }
        return node.alive()
                ? q.because(DiagnosisReason.CLAIMED, node + " has claimed it: it runs there, or is about to", facts)
                : q.because(
                        DiagnosisReason.ORPHANED,
                        node + " had claimed it and does not live any more: the others will free it",
                        facts);
    }

    private Diagnosis free(Question q) {
        if (!queues.paused(List.of(q.lane().queue())).isEmpty()) {
            return q.because(
                    DiagnosisReason.PAUSED,
                    "queue '" + q.id().queue() + "' is paused, until an operator resumes it",
                    Facts.none());
        }
        if (!store.isServed(q.lane().queue())) {
            return q.because(
                    DiagnosisReason.NO_LISTENER,
                    "no living node has a listener of queue '" + q.id().queue() + "'",
                    Facts.none());
        }
        if (q.place().place() == Table.SCHEDULED) {
            return q.because(
                    DiagnosisReason.READY,
                    "its due time has come: an engine moves it into its lane within moments",
                    Facts.none().withAt(q.place().dueAt()));
        }
        ListenerContainer here = q.here();
        if (q.place().isOrdered() && here != null && !here.strategy().keepsOrder()) {
            return q.because(
                    DiagnosisReason.STRATEGY_IGNORES_ORDERING_KEYS,
                    "it has an ordering key, and this engine claims by " + here.strategy()
                            + ", which leaves those alone: set the strategy of queue '" + q.id().queue() + "' to LANES",
                    Facts.none());
        }
        return closed(q, DiagnosisReason.BEHIND_EARLIER_MESSAGE, "", Facts.none())
                .or(() -> guarded(q, DiagnosisReason.GUARDED, "in this engine ", Facts.none()))
                .orElseGet(() -> ready(q));
    }

    private Diagnosis ready(Question q) {
        int before = store.countBefore(q.lane(), q.place().id(), MOST_BEFORE);
        Facts facts = Facts.none().withBefore(before);
        if (q.place().crashes() > 0) {
            return q.because(
                    DiagnosisReason.SUSPECT,
                    q.place().crashes()
                            + " processes ended while it ran: it runs alone, when nothing else of its queue runs in a node",
                    facts);
        }
        return q.because(
                DiagnosisReason.READY,
                "nothing holds it back: it runs as soon as a worker is free; " + before
                        + " stand before it in its lane",
                facts);
    }

    private static Optional<Diagnosis> guarded(Question q, DiagnosisReason reason, String who, Facts facts) {
        ListenerContainer here = q.here();
        return here == null
                ? Optional.empty()
                : here.blockingGuard().map(guard -> q.because(reason, who + guard, facts.withGuard(guard.toString())));
    }

    private Optional<Diagnosis> closed(Question q, DiagnosisReason reason, String who, Facts facts) {
        return store.findBlocking(q.lane(), q.place()).map(first -> {
            MessageId before = new MessageId(q.id().queue(), q.id().lane(), first.uid());
            Facts known = facts.withClosedBy(before);
            Diagnosis.Node node = first.owner() == 0 ? null : node(first.owner());
            return q.because(
                    reason,
                    who + "message " + before + " stands before it with the same ordering key: " + state(first, node),
                    node == null ? known : known.withNode(node));
        });
    }

    /** What the first of an ordering key does. */
    private static String state(MessageLocation first, Diagnosis.@Nullable Node node) {
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
        return first.crashes() > 0 ? "it is on probation, and has to run alone" : "it is ready itself";
    }

    private Diagnosis.Node node(int number) {
        return store.node(number)
                .map(n -> new Diagnosis.Node(number, n.alive(), n.host(), Optional.of(n.startedAt())))
                .orElse(new Diagnosis.Node(number, false, "", Optional.empty()));
    }

    /**
     * The message that is asked about, and what is known of it at first.
     *
     * @param place its row
     * @param here  what runs of its queue in this engine
     */
    private record Question(
            MessageId id,
            Lane lane,
            MessageLocation place,
            @Nullable ListenerContainer here) {

        Diagnosis because(DiagnosisReason reason, String text, Facts facts) {
            return new Diagnosis(id, reason, text, facts);
        }

        /** The claim that holds it. */
        Claim claim() {
            return new Claim(lane.queue(), lane.lane(), place.id(), place.uid(), place.owner(), place.claimNo());
        }
    }
}
