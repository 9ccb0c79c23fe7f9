package io.acidq.engine.listener;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The handlers' transactions of one simulated node, whose effects and acknowledgements commit together or not at all.
 */
final class SimulatedTransactions extends FakeTransactions {

    private final SimulatedTables tables;
    private final Runnable beforeCommit;
    private final Runnable afterCommit;
    private @Nullable Open current;

    SimulatedTransactions(SimulatedTables tables, Runnable beforeCommit, Runnable afterCommit) {
        this.tables = tables;
        this.beforeCommit = beforeCommit;
        this.afterCommit = afterCommit;
    }

    /** The uncommitted changes of a transaction. */
    private record Open(
            List<SimulationAuditor.Started> starts,
            List<SimulationAuditor.Effect> effects,
            List<SimulatedRow> deleted) {}

    private Open open() {
        return Objects.requireNonNull(current, "no transaction is open");
    }

    void starts(SimulationAuditor.Started start) {
        open().starts.add(start);
    }

    void effect(SimulationAuditor.Effect effect) {
        if (tables.storeFlaw == StoreFlaw.ACK_IN_SECOND_TRANSACTION) {
            tables.simulationAuditor.happened(effect);
        } else {
            open().effects.add(effect);
        }
    }

    void delete(SimulatedRow row) {
        row.lock = open();
        open().deleted.add(row);
    }

    @Override
    public <T> T inNew(Callable<T> work) throws Exception {
        Open outer = current;
        Open own = new Open(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        current = own;
        T result;
        try {
            result = work.call();
            beforeCommit.run();
        } catch (Throwable e) {
            own.deleted.forEach(r -> r.lock = null);
            throw e;
        } finally {
            current = outer;
            tables.simulationAuditor.ended(own.starts);
        }
        own.effects.forEach(tables.simulationAuditor::happened);
        own.deleted.forEach(r -> tables.hot.remove(r.id));
        own.deleted.forEach(tables.simulationAuditor::done);
        afterCommit.run();
        return result;
    }

    @Override
    public TransactionSavepoint savepoint(String name) {
        Open marked = open();
        int effects = marked.effects.size();
        int deleted = marked.deleted.size();
        return () -> {
            marked.deleted.subList(deleted, marked.deleted.size()).forEach(r -> r.lock = null);
            marked.deleted.subList(deleted, marked.deleted.size()).clear();
            marked.effects.subList(effects, marked.effects.size()).clear();
        };
    }
}
