package io.acidq.mybatis.store;

import io.acidq.Receipts.Committed;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.RawStatement;
import io.acidq.mybatis.session.RawStatement.Binder;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.session.TypeHandlers;
import io.acidq.store.ReceiptStore;
import io.acidq.store.Transactions;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Inserts receipts in the transaction on the calling thread, and reads them in transactions of its own. */
public final class MyBatisReceiptStore implements ReceiptStore {

    private static final int ROWS_PER_STATEMENT = 500;

    private final Transactions transactions;
    private final StoreTransactions own;
    private final RawStatement insert;

    public MyBatisReceiptStore(MyBatisSessions sessions, Transactions transactions, StoreTransactions own) {
        this.transactions = transactions;
        this.own = own;
        this.insert = new RawStatement(sessions, "insert", ReceiptMapper.class.getName() + ".insert");
    }

    @Override
    public void insert(List<NewReceipt> receipts) {
        Connection current = transactions.requireCurrent("insert");
        List<Binder> rows = receipts.stream().map(MyBatisReceiptStore::binder).toList();
        for (int from = 0; from < rows.size(); from += ROWS_PER_STATEMENT) {
            insert.update(current, rows.subList(from, Math.min(from + ROWS_PER_STATEMENT, rows.size())));
        }
    }

    private static Binder binder(NewReceipt receipt) {
        long retentionMicros = Microseconds.of(receipt.retention());
        return (to, name) -> {
            if (name.equals("uid")) {
                to.bytes(TypeHandlers.bytes(receipt.uid()));
            } else {
                to.number(retentionMicros);
            }
        };
    }

    @Override
    public Committed committed(UUID uid) {
        return own.runAndRelease("committed", t -> {
            ReceiptMapper mapper = t.mapper(ReceiptMapper.class);
            if (mapper.lockShared(uid) != null) {
                return Committed.YES;
            }
            // after the lock: a removal of this receipt is committed, with its mark
            return mapper.removedUpTo(uid) ? Committed.NOT_TRACKED : Committed.NO;
        });
    }

    @Override
    public Optional<ReceiptRow> find(UUID uid) {
        return own.read(
                "receipt",
                t -> Optional.ofNullable(t.mapper(ReceiptMapper.class).find(uid)));
    }
}
