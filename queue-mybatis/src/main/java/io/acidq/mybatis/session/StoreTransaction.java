package io.acidq.mybatis.session;

import java.sql.Connection;
import java.sql.Statement;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.ibatis.session.SqlSession;

/** A short transaction of the store's own, while it runs. */
public final class StoreTransaction {

    private final SqlSession session;
    private final Supplier<SqlSession> batches;
    private boolean rollbackOnly;

    StoreTransaction(SqlSession session, Supplier<SqlSession> batches) {
        this.session = session;
        this.batches = batches;
    }

    public <M> M mapper(Class<M> type) {
        return session.getMapper(type);
    }

    /** The connection. The work may ask it only for what the driver knows. */
    public Connection connection() {
        return session.getConnection();
    }

    /** Whether the statement is there for this kind of database. */
    public boolean hasStatement(Class<?> mapper, String statement) {
        return session.getConfiguration().hasStatement(mapper.getName() + "." + statement);
    }

    /**
     * Sends many one-row statements together. They do nothing before all of them have been called.
     *
     * @return how many rows they changed; a driver that does not count a statement which succeeded lets it count as one row
     */
    public <M> int batch(Class<M> type, Consumer<M> statements) {
        try (SqlSession batch = batches.get()) {
            statements.accept(batch.getMapper(type));
            return batch.flushStatements().stream()
                    .flatMapToInt(result -> IntStream.of(result.getUpdateCounts()))
                    .map(count -> count == Statement.SUCCESS_NO_INFO ? 1 : count)
                    .sum();
        }
    }

    /** It is to end with a rollback, whatever the work returns. */
    public void setRollbackOnly() {
        rollbackOnly = true;
    }

    boolean isRollbackOnly() {
        return rollbackOnly;
    }
}
