package io.acidq.mybatis.store;

import io.acidq.DeadHeadPolicy;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.AuditQuery;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.store.ClaimStore;
import io.acidq.store.DeadLetterStore;
import io.acidq.store.EnqueueStore;
import io.acidq.store.InspectionStore;
import io.acidq.store.MaintenanceStore;
import io.acidq.store.NodeStore;
import io.acidq.store.QueueStore;
import io.acidq.store.Store;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** A store of the kind that the class runs with, and a queue for each test. */
abstract class StoreFixture {

    @Parameter
    StoreKind kind;

    QueueFixture fixture;
    Store store;
    EnqueueStore enqueue;
    ClaimStore claims;
    NodeStore nodes;
    QueueStore queues;
    MaintenanceStore maintenance;
    InspectionStore inspection;
    DeadLetterStore dead;
    JdbcTransactions transactions;

    /** Ends the transaction of {@link #hold}. */
    final CountDownLatch end = new CountDownLatch(1);

    StoreDatabase database() {
        return kind.database();
    }

    @BeforeEach
    void openQueue() {
        fixture = new QueueFixture(database());
        store = database().store();
        enqueue = store.enqueue();
        claims = store.claims();
        nodes = store.nodes();
        queues = store.queues();
        maintenance = store.maintenance();
        inspection = store.inspection();
        dead = store.dead();
        transactions = database().transactions();
    }

    List<AuditEntry> recentAudit(int limit) {
        return inspection
                .listAudit(AuditQuery.all().withLimit(limit), null, AuditQuery.MAX_SCANNED)
                .entries();
    }

    /** Runs work in a transaction of another thread, which stays open until {@link #end} is counted down. Returns after the work. */
    <T> CompletableFuture<T> hold(Callable<T> work) {
        return hold(work, () -> {});
    }

    /** The same with work to do before the transaction ends. */
    <T> CompletableFuture<T> hold(Callable<T> work, Runnable last) {
        CountDownLatch halfway = new CountDownLatch(1);
        CompletableFuture<T> holder = QueueFixture.runAsync(() -> transactions.call(() -> {
            T result = work.call();
            halfway.countDown();
            QueueFixture.await(end);
            last.run();
            return result;
        }));
        QueueFixture.await(halfway);
        return holder;
    }

    /** Rolls the transaction of {@link #hold} back. */
    static void fail() {
        throw new IllegalStateException("roll back");
    }

    /** A test with each {@link DeadHeadPolicy} that keeps the place of a dead head. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SKIP")
    @interface WithEachHoldingPolicy {}
}
