package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.ClaimEndings.OwnedClaims;
import io.acidq.mybatis.store.NodeMapper.ClaimRow;
import io.acidq.mybatis.store.NodeMapper.CrashRow;
import io.acidq.mybatis.store.NodeMapper.EndedNode;
import io.acidq.mybatis.store.QueueMapper.QueueName;
import io.acidq.store.Claim;
import io.acidq.store.NodeStore.Crash;
import io.acidq.store.NodeStore.Orphan;
import io.acidq.store.NodeStore.Orphans;
import io.acidq.store.NodeStore.RescueDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One transaction that frees what a dead node still owns, and records its death against the messages that may have caused it. */
final class RescueTransaction {

    private final StoreTransaction transaction;
    private final NodeMapper mapper;
    private final ClaimEndings ends;
    private final int node;

    RescueTransaction(StoreTransaction transaction, int node) {
        this.transaction = transaction;
        this.mapper = transaction.mapper(NodeMapper.class);
        this.ends = new ClaimEndings(transaction.mapper(EndMapper.class));
        this.node = node;
    }

    List<RescueDecision> rescue(Function<Orphans, List<RescueDecision>> judge) {
        EndedNode ended = mapper.ended(node);
        if ("ALIVE".equals(ended.state())) {
            return List.of(); // the caller listed it from an older state
        }
        if (ended.workers() != null && mapper.lockNode(node) == null) {
            transaction.setRollbackOnly();
            return List.of(); // another rescuer is at it
        }
        List<ClaimRow> rows = new OwnedClaims(mapper).claimsOf(node);
        if (rows.isEmpty()) {
            return List.of();
        }
        Crash crash = new Crash(node, Objects.requireNonNullElse(ended.host(), "unknown host"), ended.diedAt());
        List<Orphan> orphans = orphans(rows);
        List<RescueDecision> rescueDecisions = judge.apply(
                new Orphans(WorkersColumn.read(ended.workers()), orphans, crash, "STOPPED".equals(ended.state())));
        return apply(
                rescueDecisions, orphans.stream().collect(Collectors.toMap(Orphan::claim, Function.identity())), crash);
    }

    private List<Orphan> orphans(List<ClaimRow> rows) {
        Map<Integer, String> queues =
                mapper.queueNames(rows.stream().map(ClaimRow::queue).collect(Collectors.toSet())).stream()
                        .collect(Collectors.toMap(QueueName::id, QueueName::name));
        List<UUID> suspects =
                rows.stream().filter(r -> r.crashes() > 0).map(ClaimRow::uid).toList();
        Map<UUID, List<Crash>> earlier = new HashMap<>();
        List<CrashRow> crashes = suspects.isEmpty() ? List.of() : mapper.crashesOf(suspects);
        crashes.forEach(
                d -> earlier.computeIfAbsent(d.uid(), u -> new ArrayList<>()).add(d.death()));
        return rows.stream()
                .map(r -> orphan(r, queues.get(r.queue()), earlier.getOrDefault(r.uid(), List.of())))
                .toList();
    }

    /** Of more crashes than are counted, the last ones count: the earlier ones were forgiven by a replay. */
    private static Orphan orphan(ClaimRow row, @Nullable String queue, List<Crash> crashes) {
        return new Orphan(
                row.claim(),
                new MessageId(Objects.requireNonNull(queue, "a message without a queue"), row.lane(), row.uid()),
                row.batch(),
                row.orderKey().isEmpty() ? null : row.orderKey(),
                row.crashes(),
                List.copyOf(crashes.subList(Math.max(0, crashes.size() - row.crashes()), crashes.size())));
    }

    private List<RescueDecision> apply(List<RescueDecision> rescueDecisions, Map<Claim, Orphan> orphans, Crash crash) {
        Set<Claim> locked = new HashSet<>(
                ends.lock(rescueDecisions.stream().map(RescueDecision::claim).toList()));
        List<RescueDecision> applied = new ArrayList<>();
        for (RescueDecision rescueDecision : rescueDecisions) {
            Orphan orphan = orphans.get(rescueDecision.claim());
            if (orphan != null && locked.contains(rescueDecision.claim()) && apply(rescueDecision, orphan, crash)) {
                applied.add(rescueDecision);
            }
        }
        return applied;
    }

    private boolean apply(RescueDecision rescueDecision, Orphan orphan, Crash crash) {
        String mark = rescueDecision.errorText();
        if (mark != null) {
            mapper.deleteCrashes(orphan.id().uid()); // the dead letter tells of them
            return ends.countCrash(rescueDecision.claim(), rescueDecision.crashes())
                    && ends.deadLetter(rescueDecision.claim(), ErrorText.of(mark));
        }
        if (rescueDecision.crashes() > orphan.crashes()) {
            mapper.insertCrash(orphan.id(), rescueDecision.claim().queue(), crash);
        }
        return ends.free(rescueDecision.claim(), rescueDecision.crashes());
    }
}
