package io.acidq.mybatis.session;

import org.apache.ibatis.session.SqlSession;

/** One short transaction of the store's own, while it runs. */
public final class ShortTransaction {

    private final SqlSession session;
    private boolean rollBack;

    ShortTransaction(SqlSession session) {
        this.session = session;
    }

    public <M> M mapper(Class<M> type) {
        return session.getMapper(type);
    }

    /** It is to end with a rollback, whatever the work returns. */
    public void rollBack() {
        rollBack = true;
    }

    boolean isToRollBack() {
        return rollBack;
    }
}
