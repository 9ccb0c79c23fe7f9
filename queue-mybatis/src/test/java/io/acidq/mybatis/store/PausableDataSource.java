package io.acidq.mybatis.store;

import io.acidq.testservers.StatementRewriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * A DataSource that pauses one of its transactions at a named point until it is released, and can refuse its COMMIT. The
 * statements that prepare a connection do not count.
 */
final class PausableDataSource {

    /** The point at which a transaction pauses. */
    enum PausePoint {
        BEFORE_READ("has begun and not read"),
        BEFORE_WRITE("has read and not written"),
        MIDWAY("has written half of it"),
        BEFORE_END("has not committed");

        private final String words;

        PausePoint(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    private final DataSource target;
    private final UnaryOperator<String> rewriting;
    private volatile Pause pause = new Pause(PausePoint.BEFORE_END, false);

    PausableDataSource(DataSource target) {
        this(target, sql -> sql);
    }

    /** Also rewrites statements, to show what happens without a part of them. */
    PausableDataSource(DataSource target, UnaryOperator<String> rewriting) {
        this.target = target;
        this.rewriting = rewriting;
        pause.passed = true;
    }

    DataSource dataSource() {
        return (DataSource) proxy(DataSource.class, target);
    }

    /** Pauses the next transaction that reaches the point. */
    Pause arm(PausePoint pausePoint, boolean refusesCommit) {
        pause = new Pause(pausePoint, refusesCommit);
        return pause;
    }

    private Object proxy(Class<?> face, Object of) {
        return Proxy.newProxyInstance(
                PausableDataSource.class.getClassLoader(), new Class<?>[] {face}, (p, method, args) -> {
                    Pause now = pause;
                    switch (method.getName()) {
                        case "prepareStatement" -> args[0] = read((String) args[0], now);
                        case "commit" -> now.commit((Connection) of);
                        case "rollback" -> now.beforeEnd();
                        default -> {
                            // irrelevant for the transaction
                        }
                    }
                    try {
                        Object result = method.invoke(of, args);
                        return method.getName().equals("getConnection")
                                ? proxy(Connection.class, result)
                                : StatementRewriter.read(method, result, sql -> read(sql, now));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private String read(String sql, Pause now) {
        String rewritten = rewriting.apply(sql);
        now.statement(rewritten);
        return rewritten;
    }

    /** One pause. */
    static final class Pause {

        private final PausePoint pausePoint;
        private final boolean refusesCommit;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private boolean passed;
        private int statements;
        private int writes;

        Pause(PausePoint pausePoint, boolean refusesCommit) {
            this.pausePoint = pausePoint;
            this.refusesCommit = refusesCommit;
        }

        /** Waits until the transaction has paused. */
        void await() {
            QueueFixture.await(reached);
        }

        void release() {
            released.countDown();
        }

        private void statement(String sql) {
            String text = sql.strip().toUpperCase(Locale.ROOT);
            if (text.startsWith("SET ") || text.contains("@@")) {
                return;
            }
            boolean writes = text.startsWith("INSERT") || text.startsWith("UPDATE") || text.startsWith("DELETE");
            this.writes += writes ? 1 : 0;
            if (++statements == 1) {
                pauseAt(PausePoint.BEFORE_READ);
            }
            if (writes) {
                pauseAt(this.writes == 1 ? PausePoint.BEFORE_WRITE : PausePoint.MIDWAY);
            }
        }

        private void beforeEnd() {
            if (statements > 0) {
                pauseAt(PausePoint.BEFORE_END);
            }
        }

        private void commit(Connection connection) throws SQLException {
            boolean before = passed;
            beforeEnd();
            if (!before && passed && refusesCommit) {
                connection.rollback();
                throw new SQLException("the server refuses this COMMIT, as a cluster does", "40001", 1213);
            }
        }

        private void pauseAt(PausePoint at) {
            if (!passed && at == pausePoint) {
                passed = true;
                reached.countDown();
                QueueFixture.await(released);
            }
        }
    }
}
