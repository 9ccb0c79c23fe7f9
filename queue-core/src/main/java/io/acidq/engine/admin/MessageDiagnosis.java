package io.acidq.engine.admin;

import io.acidq.MessageId;
import io.acidq.Plural;
import io.acidq.Priority;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.Diagnosis.DiagnosisReason;
import io.acidq.admin.Diagnosis.Facts;
import io.acidq.admin.MessageTable;
import io.acidq.admin.Nodes;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.listener.ListenerContainer;
import io.acidq.store.Claim;
import io.acidq.store.InspectionStore;
import io.acidq.store.InspectionStore.MessageLocation;
import io.acidq.store.InspectionStore.StoredReport;
import io.acidq.store.Lane;
import io.acidq.store.NodeReport;
import io.acidq.store.NodeReport.ServedQueue;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Finds out why a message does not run: from its row, from the rows before it, and from what this engine has claimed. Locks nothing. Thread-safe. */
public final class MessageDiagnosis {

    /** The kind of a marker that lets parked messages return. A marker of any other kind holds the place of a dead letter. */
    private static final int REFILL = 2;

    private static final int MAX_COUNTED_BEFORE = 10_000;

    private final InspectionStore store;
    private final QueueStore queues;
    private final QueueRegistry registry;
    private final IntFunction<@Nullable ListenerContainer> containers;

    /**
     * The diagnosis of one engine.
     *
     * @param containers returns the running container of a queue by the queue's number; null when the engine has none
     */
    public MessageDiagnosis(Store store, QueueRegistry registry, IntFunction<@Nullable ListenerContainer> containers) {
        this.store = store.inspection();
        this.queues = store.queues();
        this.registry = registry;
        this.containers = containers;
    }

    public Diagnosis diagnose(MessageId id) {
        Objects.requireNonNull(id, "id");
        QueueRow queue = registry.existing(id.queue());
        Lane lane = new Lane(queue.id(), id.lane());
        return store.findLocation(lane, id.uid())
                .map(location -> diagnose(new DiagnosedMessage(id, lane, location, containers.apply(queue.id()))))
                .orElseGet(() -> store.findArchived(queue, id.uid())
                        .map(done -> new Diagnosis(
                                id,
                                DiagnosisReason.DONE,
                                "it is done since " + done.doneAt(),
                                Facts.none().withAt(done.doneAt())))
                        .orElseGet(() -> new Diagnosis(
                                id,
                                DiagnosisReason.GONE,
                                "it is in none of the tables: it has ended (done, cancelled, expired or discarded), or its enqueue never committed",
                                Facts.none())));
    }

    private Diagnosis diagnose(DiagnosedMessage message) {
        MessageLocation location = message.location();
        if (location.inTable() == MessageTable.DEAD) {
            return diagnoseDead(message);
        }
        if (location.inTable() == MessageTable.LANE && location.owner() != 0) {
            return diagnoseClaimed(message);
        }
        return location.due() ? diagnoseUnclaimed(message) : diagnoseNotDue(message);
    }

    private static Diagnosis diagnoseDead(DiagnosedMessage message) {
        MessageLocation location = message.location();
        return message.diagnosis(
                DiagnosisReason.DEAD,
                "it is a dead letter since " + location.dueAt() + ", after " + Plural.of(location.attempts(), "attempt")
                        + ": " + location.error().lines().findFirst().orElse(""),
                Facts.none().withAt(location.dueAt()).withError(location.error()));
    }

    private static Diagnosis diagnoseNotDue(DiagnosedMessage message) {
        MessageLocation location = message.location();
        String what = location.claimNo() == 0 ? "it is not due before " : "it waits for its next attempt until ";
        String meanwhile = location.isOrdered() && location.inTable() == MessageTable.LANE
                ? ", and holds up its ordering key meanwhile"
                : "";
        return message.diagnosis(
                DiagnosisReason.NOT_DUE,
                what + location.dueAt() + meanwhile,
                Facts.none().withAt(location.dueAt()));
    }

    private Diagnosis diagnoseClaimed(DiagnosedMessage message) {
        Diagnosis.Node node = node(message.location().owner());
        Facts facts = Facts.none().withNode(node);
        ListenerContainer container = message.container();
        Duration running = container == null ? null : container.runningFor(message.claim());
        if (running != null) {
            return message.diagnosis(DiagnosisReason.RUNNING, "it runs here, in " + node + ", for " + running, facts);
        }
        if (container != null && container.knows(message.claim())) {
            String claimed = "this engine, " + node + ", has claimed it, and ";
            return blockedByKey(message, DiagnosisReason.UNSTARTED, claimed, facts)
                    .or(() -> blockedByGuard(message, DiagnosisReason.UNSTARTED, claimed, facts))
                    .orElseGet(() -> message.diagnosis(
                            DiagnosisReason.UNSTARTED,
                            claimed
                                    + (message.location().crashes() > 0
                                            ? "starts it when no other message of its queue runs here, because processes crashed while they ran it"
                                            : "starts it when a worker is free"),
                            facts));
        }
        return reportedClaim(message, node, facts).orElseGet(() -> unreportedClaim(message, node, facts));
    }

    /** Diagnoses a claimed message by the report of the node that holds it, which is another one and alive. */
    private Optional<Diagnosis> reportedClaim(DiagnosedMessage message, Diagnosis.Node node, Facts facts) {
        if (!node.alive()) {
            return Optional.empty();
        }
        return store.nodeReport(node.number()).flatMap(report -> {
            for (ServedQueue queue : report.report().queues()) {
                for (NodeReport.RunningMessage run : queue.runs()) {
                    if (run.id().uid().equals(message.id().uid())) {
                        Duration running = run.runningFor().plus(report.age()).truncatedTo(ChronoUnit.SECONDS);
                        return Optional.of(message.diagnosis(
                                DiagnosisReason.RUNNING, node + " runs it, for " + running + reportAge(report), facts));
                    }
                }
            }
            return report.report().queues().stream()
                    .filter(queue -> queue.queue().equals(message.id().queue()) && queue.stoppingGuard() != null)
                    .findFirst()
                    .map(queue -> message.diagnosis(
                            DiagnosisReason.UNSTARTED,
                            node + " has claimed it, and " + queue.stoppingGuard() + " there" + reportAge(report),
                            facts.withGuard(String.valueOf(queue.stoppingGuard()))));
        });
    }

    private static String reportAge(StoredReport report) {
        return ", as it reported " + Plural.of(report.age().toSeconds(), "second") + " ago";
    }

    private static Diagnosis unreportedClaim(DiagnosedMessage message, Diagnosis.Node node, Facts facts) {
        return node.alive()
                ? message.diagnosis(
                        DiagnosisReason.CLAIMED, node + " has claimed it: it runs there, or is about to", facts)
                : message.diagnosis(
                        DiagnosisReason.ORPHANED,
                        node + " had claimed it and is no longer alive: another node will free it",
                        facts);
    }

    private Diagnosis diagnoseUnclaimed(DiagnosedMessage message) {
        String queue = message.id().queue();
        if (!queues.paused(List.of(message.lane().queue())).isEmpty()) {
            return message.diagnosis(
                    DiagnosisReason.PAUSED,
                    "queue '" + queue + "' is paused, until an operator resumes it",
                    Facts.none());
        }
        if (!store.isServed(message.lane().queue())) {
            return message.diagnosis(
                    DiagnosisReason.NO_LISTENER,
                    "no living node has a listener of queue '" + queue + "'",
                    Facts.none());
        }
        if (message.location().inTable() == MessageTable.SCHEDULED) {
            return message.diagnosis(
                    DiagnosisReason.READY,
                    "its due time " + message.location().dueAt()
                            + " has come: a node moves it into its lane within seconds; if not, the log of the living nodes names the failure",
                    Facts.none().withAt(message.location().dueAt()));
        }
        ListenerContainer container = message.container();
        if (message.location().isOrdered()
                && container != null
                && !container.strategy().keepsOrder()) {
            return message.diagnosis(
                    DiagnosisReason.STRATEGY_IGNORES_ORDERING_KEYS,
                    "it has an ordering key, and this engine uses claim strategy " + container.strategy()
                            + ", which ignores such messages: set the strategy of queue '" + queue + "' to LANES",
                    Facts.none());
        }
        return blockedByKey(message, DiagnosisReason.BEHIND_EARLIER_MESSAGE, "", Facts.none())
                .or(() -> blockedByGuard(message, DiagnosisReason.GUARDED, "in this engine ", Facts.none()))
                .or(() -> blockedByReportedGuards(message))
                .orElseGet(() -> diagnoseReady(message));
    }

    private Diagnosis diagnoseReady(DiagnosedMessage message) {
        int before = store.countBefore(message.lane(), message.location().id(), MAX_COUNTED_BEFORE);
        Facts facts = Facts.none().withBefore(before);
        int crashes = message.location().crashes();
        return crashes > 0
                ? message.diagnosis(
                        DiagnosisReason.SUSPECT,
                        Plural.of(crashes, "process")
                                + " crashed while running it: it runs alone, when a node runs no other message of its queue",
                        facts)
                : message.diagnosis(
                        DiagnosisReason.READY,
                        "nothing holds it back: it runs as soon as a worker is free; "
                                + turns(message.id().priority()) + Plural.of(before, "message")
                                + (before == 1 ? " is" : " are") + " before it in its lane",
                        facts);
    }

    private static String turns(Priority priority) {
        return priority == Priority.NORMAL
                ? ""
                : "its priority is " + priority
                        + ", and HIGH, NORMAL and LOW start as 16:4:1 while all have messages; ";
    }

    private static Optional<Diagnosis> blockedByGuard(
            DiagnosedMessage message, DiagnosisReason reason, String prefix, Facts facts) {
        ListenerContainer container = message.container();
        return container == null
                ? Optional.empty()
                : container
                        .blockingGuard()
                        .map(guard -> message.diagnosis(reason, prefix + guard, facts.withGuard(guard.toString())));
    }

    /** Asked in a process without a listener of the queue: whether a guard stops the queue in each node that serves it. */
    private Optional<Diagnosis> blockedByReportedGuards(DiagnosedMessage message) {
        if (message.container() != null) {
            return Optional.empty();
        }
        Map<Integer, String> guards = new TreeMap<>();
        for (StoredReport report : store.nodeReports(Nodes.MAX_NODES)) {
            for (ServedQueue queue : report.report().queues()) {
                String guard = queue.stoppingGuard();
                if (queue.queue().equals(message.id().queue()) && guard != null) {
                    guards.put(report.node(), guard);
                }
            }
        }
        boolean everywhere = !guards.isEmpty()
                && store.livingNodes(Nodes.MAX_NODES).stream()
                        .filter(node ->
                                node.workers().containsKey(message.lane().queue()))
                        .allMatch(node -> guards.containsKey(node.node()));
        if (!everywhere) {
            return Optional.empty();
        }
        Map.Entry<Integer, String> first = guards.entrySet().iterator().next();
        String others = guards.size() == 1 ? "" : ", and in each other node that serves the queue a guard does too";
        return Optional.of(message.diagnosis(
                DiagnosisReason.GUARDED,
                "in node " + first.getKey() + " " + first.getValue() + others,
                Facts.none().withGuard(first.getValue())));
    }

    private Optional<Diagnosis> blockedByKey(
            DiagnosedMessage message, DiagnosisReason reason, String prefix, Facts facts) {
        return store.findBlocking(message.lane(), message.location()).map(first -> {
            MessageId blocking =
                    new MessageId(message.id().queue(), message.id().lane(), first.uid());
            Diagnosis.Node node = first.owner() == 0 ? null : node(first.owner());
            Facts withBlocking = facts.withClosedBy(blocking);
            return message.diagnosis(
                    reason,
                    prefix + "message " + blocking + " is before it with the same ordering key: "
                            + describe(first, node),
                    node == null ? withBlocking : withBlocking.withNode(node));
        });
    }

    /** Describes the state of the first message of an ordering key. */
    private static String describe(MessageLocation first, Diagnosis.@Nullable Node node) {
        if (first.kind() != 0) {
            return first.kind() == REFILL
                    ? "it is the first of the parked messages, which are about to return"
                    : "it is dead, and its place is held until it is replayed, discarded or released";
        }
        if (node != null) {
            return node.alive()
                    ? "it is claimed by " + node
                    : "it was claimed by " + node + ", which is no longer alive";
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
     * The message of a diagnosis.
     *
     * @param location  its row
     * @param container the running container of its queue in this engine
     */
    private record DiagnosedMessage(
            MessageId id,
            Lane lane,
            MessageLocation location,
            @Nullable ListenerContainer container) {

        Diagnosis diagnosis(DiagnosisReason reason, String text, Facts facts) {
            Instant expiresAt = location.expiresAt();
            if (expiresAt == null) {
                return new Diagnosis(id, reason, text, facts);
            }
            String expiry = location.expired()
                    ? "it has expired at " + expiresAt + ", and is ended when a worker takes it"
                    : "it expires at " + expiresAt;
            boolean tells = location.inTable() != MessageTable.DEAD && reason != DiagnosisReason.RUNNING;
            return new Diagnosis(id, reason, tells ? text + "; " + expiry : text, facts.withExpiresAt(expiresAt));
        }

        /** The claim that holds the message. */
        Claim claim() {
            return new Claim(
                    lane.queue(), lane.lane(), location.id(), location.uid(), location.owner(), location.claimNo());
        }
    }
}
