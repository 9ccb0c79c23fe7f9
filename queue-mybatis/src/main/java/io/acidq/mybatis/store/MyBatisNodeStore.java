package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.Receipt;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.ClaimEndings.OwnedClaims;
import io.acidq.mybatis.store.NodeMapper.ClaimRow;
import io.acidq.mybatis.store.NodeMapper.CrashRow;
import io.acidq.mybatis.store.NodeMapper.EndedNode;
import io.acidq.mybatis.store.NodeMapper.NewNode;
import io.acidq.mybatis.store.QueueMapper.NumberAndName;
import io.acidq.store.Claim;
import io.acidq.store.NodeReport;
import io.acidq.store.NodeStore;
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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Registers nodes, records their heartbeats, and rescues the claims of nodes that are dead or have stopped. */
public final class MyBatisNodeStore implements NodeStore {

    private final StoreTransactions transactions;

    public MyBatisNodeStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public int register(NodeRow node) {
        return transactions.runAndRelease("register", t -> {
            NewNode row = new NewNode(node.registrationId(), writeWorkers(node.workers()), node.host(), node.version());
            t.mapper(NodeMapper.class).register(row);
            return row.id;
        });
    }

    @Override
    public boolean heartbeatIfAlive(int node, UUID registrationId) {
        return transactions.heartbeat(
                "heartbeatIfAlive", s -> s.getMapper(NodeMapper.class).heartbeatIfAlive(node, registrationId) == 1);
    }

    @Override
    public boolean isRegistered(int node, UUID registrationId) {
        return transactions.heartbeat(
                "isRegistered", s -> s.getMapper(NodeMapper.class).isRegistered(node, registrationId) == 1);
    }

    @Override
    public boolean updateWorkersIfAlive(int node, UUID registrationId, Map<Integer, Integer> workers) {
        String written = writeWorkers(workers);
        return transactions.heartbeat(
                "updateWorkersIfAlive",
                s -> s.getMapper(NodeMapper.class).updateWorkersIfAlive(node, registrationId, written) == 1);
    }

    @Override
    public List<NodeHeartbeats> livingNodes() {
        List<NodeHeartbeats> living = transactions.heartbeat(
                "livingNodes", s -> s.getMapper(NodeMapper.class).livingNodes());
        transactions.releaseIdle(); // every engine calls this method with each heartbeat, which also enables the cache
        return living;
    }

    @Override
    public boolean declareDeadIfSilent(NodeHeartbeats silent) {
        return transactions.runAndRelease(
                "declareDeadIfSilent", t -> t.mapper(NodeMapper.class).declareDeadIfSilent(silent) == 1);
    }

    @Override
    public void markStopped(int node, UUID registrationId) {
        transactions.runAndClose("markStopped", t -> t.mapper(NodeMapper.class).markStopped(node, registrationId));
    }

    @Override
    public List<Integer> endedOwners() {
        return transactions.readInTurn("endedOwners", t -> {
            NodeMapper mapper = t.mapper(NodeMapper.class);
            Set<Integer> owners = new TreeSet<>(new OwnedClaims(mapper).owners());
            if (!owners.isEmpty()) {
                mapper.livingNodes()
                        .forEach(b -> owners.remove(
                                b.node())); // read after the owners, because a node registers before it claims
            }
            return List.copyOf(owners);
        });
    }

    @Override
    public List<RescueDecision> rescue(int endedOwner, Function<Orphans, List<RescueDecision>> decide) {
        return transactions.runInTurn("rescue", t -> new RescueTransaction(t, endedOwner).rescue(decide));
    }

    @Override
    public void writeReport(int node, NodeReport report) {
        byte[] body = report.encode();
        transactions.runInTurn("writeReport", t -> t.mapper(NodeMapper.class).writeReport(node, body));
    }

    @Override
    public void removeReport(int node) {
        transactions.runInTurn("removeReport", t -> t.mapper(NodeMapper.class).removeReport(node));
    }

    /** Formats the number of workers by queue for its column: {@code queue:workers,queue:workers}. */
    static String writeWorkers(Map<Integer, Integer> workers) {
        return new TreeMap<>(workers)
                .entrySet().stream().map(e -> e.getKey() + ":" + e.getValue()).collect(Collectors.joining(","));
    }

    static Map<Integer, Integer> readWorkers(@Nullable String text) {
        Map<Integer, Integer> workers = new HashMap<>();
        if (text != null && !text.isEmpty()) {
            for (String pair : text.split(",", -1)) {
                int colon = pair.indexOf(':');
                workers.put(Integer.parseInt(pair, 0, colon, 10), Integer.parseInt(pair, colon + 1, pair.length(), 10));
            }
        }
        return workers;
    }

    /** One transaction that frees the claims of a node that has ended and records the crash for the messages that may have caused it. */
    private static final class RescueTransaction {

        private final StoreTransaction transaction;
        private final NodeMapper mapper;
        private final ClaimEndings ends;
        private final int node;

        RescueTransaction(StoreTransaction transaction, int node) {
            this.transaction = transaction;
            this.mapper = transaction.mapper(NodeMapper.class);
            this.ends = new ClaimEndings(transaction);
            this.node = node;
        }

        List<RescueDecision> rescue(Function<Orphans, List<RescueDecision>> decide) {
            EndedNode ended = mapper.ended(node);
            if ("ALIVE".equals(ended.state())) {
                return List.of(); // the caller has read an older state
            }
            if (ended.workers() != null && mapper.lockNode(node) == null) {
                transaction.setRollbackOnly();
                return List.of(); // another node rescues these claims
            }
            List<ClaimRow> claimed = new OwnedClaims(mapper).claimsOf(node);
            Map<Integer, String> queues = claimed.isEmpty() ? Map.of() : names(claimed);
            List<ClaimRow> rows = claimed.stream()
                    .filter(row -> queues.containsKey(row.queue())) // its next listener adds a queue whose row is lost
                    .toList();
            if (rows.isEmpty()) {
                return List.of();
            }
            Crash crash = new Crash(node, Objects.requireNonNullElse(ended.host(), "unknown host"), ended.at());
            List<Orphan> orphans = orphans(rows, queues);
            List<RescueDecision> rescueDecisions = decide.apply(
                    new Orphans(readWorkers(ended.workers()), orphans, crash, "STOPPED".equals(ended.state())));
            return apply(
                    rescueDecisions,
                    orphans.stream().collect(Collectors.toMap(Orphan::claim, Function.identity())),
                    crash);
        }

        private Map<Integer, String> names(List<ClaimRow> rows) {
            return mapper.queueNames(rows.stream().map(ClaimRow::queue).collect(Collectors.toSet())).stream()
                    .collect(Collectors.toMap(NumberAndName::id, NumberAndName::name));
        }

        private List<Orphan> orphans(List<ClaimRow> rows, Map<Integer, String> queues) {
            List<UUID> suspects = rows.stream()
                    .filter(r -> r.crashes() > 0)
                    .map(ClaimRow::uid)
                    .toList();
            Map<UUID, List<Crash>> earlier = new HashMap<>();
            List<CrashRow> crashes = suspects.isEmpty() ? List.of() : mapper.crashesOf(suspects);
            crashes.forEach(d ->
                    earlier.computeIfAbsent(d.uid(), u -> new ArrayList<>()).add(d.crash()));
            return rows.stream()
                    .map(r -> orphan(
                            r, Objects.requireNonNull(queues.get(r.queue())), earlier.getOrDefault(r.uid(), List.of())))
                    .toList();
        }

        /** Returns only as many of the last crashes as are counted, because a replay resets the count but keeps earlier crashes. */
        private static Orphan orphan(ClaimRow row, String queue, List<Crash> crashes) {
            return new Orphan(
                    row.claim(),
                    new MessageId(queue, row.lane(), row.uid()),
                    row.batch(),
                    row.orderingKey().isEmpty() ? null : row.orderingKey(),
                    row.crashes(),
                    List.copyOf(crashes.subList(Math.max(0, crashes.size() - row.crashes()), crashes.size())),
                    row.expired());
        }

        private List<RescueDecision> apply(
                List<RescueDecision> rescueDecisions, Map<Claim, Orphan> orphans, Crash crash) {
            Set<Claim> locked = new HashSet<>(ends.lock(
                    rescueDecisions.stream().map(RescueDecision::claim).toList()));
            Set<UUID> cancelled = ends.cancelRequested(locked);
            List<RescueDecision> applied = new ArrayList<>();
            for (RescueDecision rescueDecision : rescueDecisions) {
                Orphan orphan = orphans.get(rescueDecision.claim());
                if (orphan != null
                        && locked.contains(rescueDecision.claim())
                        && (cancelled.contains(rescueDecision.claim().uid())
                                ? cancel(rescueDecision, orphan)
                                : apply(rescueDecision, orphan, crash))) {
                    applied.add(
                            cancelled.contains(rescueDecision.claim().uid())
                                    ? new RescueDecision(rescueDecision.claim(), orphan.crashes(), null)
                                    : rescueDecision);
                }
            }
            return applied;
        }

        /** Ends a message that an operator has asked to cancel. It counts no crash. */
        private boolean cancel(RescueDecision rescueDecision, Orphan orphan) {
            if (orphan.crashes() > 0) {
                mapper.deleteCrashes(orphan.id().uid());
            }
            return ends.delete(rescueDecision.claim(), Receipt.State.CANCELLED);
        }

        private boolean apply(RescueDecision rescueDecision, Orphan orphan, Crash crash) {
            String error = rescueDecision.errorText();
            if (error != null) {
                mapper.deleteCrashes(orphan.id().uid()); // the dead letter lists them
                return ends.countCrash(rescueDecision.claim(), rescueDecision.crashes())
                        && ends.deadLetter(rescueDecision.claim(), ErrorText.of(error));
            }
            if (rescueDecision.crashes() > orphan.crashes()) {
                mapper.insertCrash(orphan.id(), rescueDecision.claim().queue(), crash);
            }
            return ends.free(rescueDecision.claim(), rescueDecision.crashes());
        }
    }
}
