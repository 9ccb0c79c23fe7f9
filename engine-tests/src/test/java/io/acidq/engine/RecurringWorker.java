package io.acidq.engine;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Outcome;
import io.acidq.Tick;
import io.acidq.config.Listener;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import java.sql.PreparedStatement;

/** A process that enqueues the ticks of recurring messages and runs their messages, until it is killed. */
final class RecurringWorker extends EngineProcess {

    static final String QUEUE = "ticks";

    RecurringWorker(HikariDataSource database) {
        super(RecurringWorker.class, database);
    }

    public static void main(String[] args) throws Exception {
        HikariDataSource pool = pool(args, 20);
        JdbcTransactions transactions = new JdbcTransactions(pool);
        Engine.builder(MyBatisStore.over(pool, transactions))
                .config(EngineTests.QUICK.withMaxCrashes(100)) // each kill may count for the same message
                .listen(Listener.on(QUEUE, Tick.class, (tick, delivery) -> {
                    try (PreparedStatement insert = transactions
                            .connection()
                            .prepareStatement("INSERT INTO effect (k, seq, tag) VALUES (?, ?, ?)")) {
                        insert.setString(1, tick.name());
                        insert.setLong(2, tick.at().getEpochSecond());
                        insert.setInt(3, delivery.node());
                        insert.executeUpdate();
                    }
                    return Outcome.done();
                }))
                .build()
                .start();
        int in = System.in.read(); // returns only when the test has ended
        Runtime.getRuntime().halt(in);
    }
}
