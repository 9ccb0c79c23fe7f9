package io.acidq.chaos.proxy;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.Receipts;
import io.acidq.Receipts.Committed;
import io.acidq.TransientQueueException;
import io.acidq.chaos.proxy.ConnectionBreak.BreakMode;
import io.acidq.chaos.proxy.ConnectionBreak.BreakPoint;
import io.acidq.chaos.role.DatabaseLogin;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServer;
import io.acidq.testservers.TestServers;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A receipt tells whether a transaction was committed whose COMMIT broke. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class ReceiptAfterBreakIT {

    private static final Duration SILENCE = Duration.ofMinutes(2);

    private final ServerKind kind;
    private final ConnectionBreaks connectionBreaks = new ConnectionBreaks();
    private TestDatabase database;
    private PacketProxy proxy;
    private HikariDataSource pool;
    private JdbcTransactions transactions;
    private MessageQueue queue;
    private Receipts receipts;

    ReceiptAfterBreakIT(ServerKind kind) {
        this.kind = kind;
    }

    record Order(long id) {}

    @BeforeEach
    void open() {
        database = TestServers.get(kind).createDatabase();
        TestServer server = database.server();
        proxy = PacketProxy.before(server.address(), connectionBreaks, SILENCE);
        String url =
                server.through(new InetSocketAddress("127.0.0.1", proxy.port())).jdbcUrl(database.name());
        pool = new DatabaseLogin(url, server.username(), server.password()).pool(10);
        Schema.create(pool);
        transactions = new JdbcTransactions(pool);
        Engine engine = Engine.builder(MyBatisStore.over(pool, transactions)).build();
        queue = engine.queue();
        receipts = engine.receipts();
        transactions.run(() -> queue.enqueue("other", new Order(0)));
    }

    @AfterEach
    void close() {
        connectionBreaks.clear();
        pool.close();
        proxy.close();
    }

    private void order(BreakPoint breakPoint, BreakMode breakMode) {
        connectionBreaks.order(new ConnectionBreak(TransactionKind.ENQUEUE, breakPoint, breakMode));
    }

    /** Returns the answer for an order that is placed while its COMMIT breaks. */
    private Committed place(Order order) throws InterruptedException {
        // snippet:committed
        AtomicReference<MessageId> id = new AtomicReference<>();
        try {
            transactions.run(() ->
                    id.set(queue.enqueue("orders", order, options().receipt()).id()));
            return Committed.YES;
        } catch (TransientQueueException e) {
            if (id.get() == null) {
                return Committed.NO; // it failed before the COMMIT
            }
            return receipts.committed(id.get());
        }
        // /snippet
    }

    @Test
    void saysNoWhenTheCommitNeverArrived() throws Exception {
        order(BreakPoint.BEFORE_COMMIT, BreakMode.CUT);
        assertThat(place(new Order(1))).isEqualTo(Committed.NO);
        assertThat(count()).isZero();
        assertThat(connectionBreaks.happened()).hasSize(1);
    }

    @Test
    void saysYesWhenOnlyTheAnswerWasLost() throws Exception {
        order(BreakPoint.AFTER_COMMIT, BreakMode.CUT);
        assertThat(place(new Order(1))).isEqualTo(Committed.YES);
        assertThat(count()).isOne();
        assertThat(connectionBreaks.happened()).hasSize(1);
    }

    /** The server does not know that the COMMIT will never arrive. */
    @Test
    void waitsWhileTheServerHasNotDecided() throws Exception {
        order(BreakPoint.BEFORE_COMMIT, BreakMode.BLACK_HOLE);
        AtomicReference<MessageId> id = new AtomicReference<>();
        CompletableFuture<Void> caller = CompletableFuture.runAsync(() -> {
            try {
                transactions.run(() ->
                        id.set(queue.enqueue("orders", new Order(1), options().receipt())
                                .id()));
            } catch (TransientQueueException e) { // the outcome of the COMMIT is unknown
            }
        });
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !connectionBreaks.happened().isEmpty());
        CompletableFuture<Committed> answer = CompletableFuture.supplyAsync(() -> receipts.committed(id.get()));
        await().atMost(Duration.ofSeconds(30)).until(this::waitsForALock);
        assertThat(answer).isNotDone();
        proxy.endBlackHoles();
        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(Committed.NO);
        caller.get(30, TimeUnit.SECONDS);
        assertThat(count()).isZero();
    }

    private boolean waitsForALock() throws SQLException {
        return read("SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'") > 0;
    }

    private long count() throws SQLException {
        return read(
                "SELECT COUNT(*) FROM acidq_message m JOIN acidq_queue q ON q.id = m.queue WHERE q.name = 'orders'");
    }

    /** Reads without the proxy. */
    private long read(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
