package io.acidq.mybatis.store;

import io.acidq.mybatis.session.NodeConnection;
import io.acidq.mybatis.session.ShortTransaction;
import io.acidq.mybatis.session.ShortTransactions;
import io.acidq.mybatis.store.NodeMapper.ClaimRow;
import io.acidq.mybatis.store.NodeMapper.NewNode;
import io.acidq.store.Claim;
import io.acidq.store.NodeStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Liveness of nodes and the rescue of what the dead had claimed. */
public final class MyBatisNodeStore implements NodeStore {

    private final NodeConnection connection;
    private final ShortTransactions transactions;

    public MyBatisNodeStore(NodeConnection connection, ShortTransactions transactions) {
        this.connection = connection;
        this.transactions = transactions;
    }

    @Override
    public int register(NodeRow node) {
        return transactions.once("register", t -> {
            NewNode row = new NewNode(Workers.write(node.workers()), node.host(), node.version());
            t.mapper(NodeMapper.class).register(row);
            return row.id;
        });
    }

    @Override
    public boolean beatIfAlive(int node) {
        return connection.run("beatIfAlive", s -> s.getMapper(NodeMapper.class).beatIfAlive(node) == 1);
    }

    @Override
    public List<Beats> nodes() {
        List<Beats> living =
                connection.run("nodes", s -> s.getMapper(NodeMapper.class).nodes());
        transactions.releaseIdle(); // every engine asks for the nodes at each beat: nobody has to wait for a next claim
        return living;
    }

    @Override
    public boolean buryIfSilent(Beats silent) {
        return transactions.once("buryIfSilent", t -> t.mapper(NodeMapper.class).buryIfSilent(silent) == 1);
    }

    @Override
    public void retire(int node) {
        transactions.once("retire", t -> t.mapper(NodeMapper.class).retire(node));
        connection.release();
        transactions.releaseAll();
    }

    @Override
    public List<Integer> deadOwners() {
        return transactions.once("deadOwners", t -> {
            NodeMapper mapper = t.mapper(NodeMapper.class);
            Set<Integer> owners = new TreeSet<>(new Owned(mapper).owners());
            mapper.nodes().forEach(b -> owners.remove(b.node())); // read second: a node registers before it claims
            return List.copyOf(owners);
        });
    }

    @Override
    public int rescue(int deadOwner, Function<Orphans, List<Verdict>> judge) {
        return transactions.once("rescue", t -> {
            NodeMapper mapper = t.mapper(NodeMapper.class);
            String workers = mapper.workers(deadOwner);
            if (workers != null && mapper.lockNode(deadOwner) == null) {
                t.rollBack();
                return 0; // another rescuer is at it
            }
            List<Orphan> orphans = new Owned(mapper)
                    .by(deadOwner).stream().map(MyBatisNodeStore::orphan).toList();
            return orphans.isEmpty() ? 0 : apply(t, judge.apply(new Orphans(Workers.read(workers), orphans)));
        });
    }

    private static Orphan orphan(ClaimRow row) {
        return new Orphan(row.claim(), row.batch(), row.orderKey().isEmpty() ? null : row.orderKey(), row.deaths());
    }

    private static int apply(ShortTransaction transaction, List<Verdict> verdicts) {
        Ends ends = new Ends(transaction.mapper(EndMapper.class));
        Set<Claim> locked =
                new HashSet<>(ends.lock(verdicts.stream().map(Verdict::claim).toList()));
        int applied = 0;
        for (Verdict verdict : verdicts) {
            if (locked.contains(verdict.claim()) && apply(ends, verdict)) {
                applied++;
            }
        }
        return applied;
    }

    private static boolean apply(Ends ends, Verdict verdict) {
        @Nullable String mark = verdict.mark();
        if (mark == null) {
            return ends.free(verdict.claim(), verdict.deaths());
        }
        return ends.countDeath(verdict.claim(), verdict.deaths()) && ends.bury(verdict.claim(), Mark.of(mark));
    }
}
