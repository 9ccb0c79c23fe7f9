package io.acidq.mybatis.store;

import io.acidq.AuditEntry;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.AuditMapper.AuditRow;
import io.acidq.store.AuditStore;
import java.util.List;
import java.util.UUID;

/** What operators have done. */
public final class MyBatisAuditStore implements AuditStore {

    private final StoreTransactions transactions;

    public MyBatisAuditStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public List<AuditEntry> of(UUID uid) {
        return transactions.once("of", t -> entries(t.mapper(AuditMapper.class).of(uid)));
    }

    @Override
    public List<AuditEntry> recent(int limit) {
        return transactions.once(
                "recent", t -> entries(t.mapper(AuditMapper.class).recent(limit)));
    }

    private static List<AuditEntry> entries(List<AuditRow> rows) {
        return rows.stream().map(AuditRow::entry).toList();
    }
}
