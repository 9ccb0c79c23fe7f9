package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.ClaimEndings.OwnedClaims;
import io.acidq.mybatis.store.NodeMapper.NewNode;
import io.acidq.store.NodeStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;

/** Liveness of nodes and the rescue of what the dead had claimed. */
public final class MyBatisNodeStore implements NodeStore {

    /** After a failover that lost commits another process may be given a number that a node of this one still holds. */
    private static final UUID PROCESS = UUID.randomUUID();

    private final StoreTransactions transactions;

    public MyBatisNodeStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public int register(NodeRow node) {
        return transactions.runAndRelease("register", t -> {
            NewNode row = new NewNode(PROCESS, WorkersColumn.write(node.workers()), node.host(), node.version());
            t.mapper(NodeMapper.class).register(row);
            return row.id;
        });
    }

    @Override
    public boolean heartbeatIfAlive(int node) {
        return transactions.heartbeat(
                "beatIfAlive", s -> s.getMapper(NodeMapper.class).heartbeatIfAlive(node, PROCESS) == 1);
    }

    @Override
    public boolean updateWorkersIfAlive(int node, Map<Integer, Integer> workers) {
        String written = WorkersColumn.write(workers);
        return transactions.heartbeat(
                "serveIfAlive", s -> s.getMapper(NodeMapper.class).updateWorkersIfAlive(node, PROCESS, written) == 1);
    }

    @Override
    public List<NodeHeartbeats> livingNodes() {
        List<NodeHeartbeats> living = transactions.heartbeat(
                "nodes", s -> s.getMapper(NodeMapper.class).livingNodes());
        transactions.releaseIdle(); // every engine asks for the nodes at each beat: while one does, some are kept
        return living;
    }

    @Override
    public boolean declareDeadIfSilent(NodeHeartbeats silent) {
        return transactions.runAndRelease(
                "declareDeadIfSilent", t -> t.mapper(NodeMapper.class).declareDeadIfSilent(silent) == 1);
    }

    @Override
    public void retire(int node) {
        transactions.runAndClose("retire", t -> t.mapper(NodeMapper.class).retire(node, PROCESS));
    }

    @Override
    public List<Integer> deadOwners() {
        return transactions.read("deadOwners", t -> {
            NodeMapper mapper = t.mapper(NodeMapper.class);
            Set<Integer> owners = new TreeSet<>(new OwnedClaims(mapper).owners());
            if (!owners.isEmpty()) {
                mapper.livingNodes()
                        .forEach(b -> owners.remove(b.node())); // read second: a node registers before it claims
            }
            return List.copyOf(owners);
        });
    }

    @Override
    public List<RescueDecision> rescue(int deadOwner, Function<Orphans, List<RescueDecision>> judge) {
        return transactions.runAndRelease("rescue", t -> new RescueTransaction(t, deadOwner).rescue(judge));
    }
}
