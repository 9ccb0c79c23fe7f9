package io.acidq.mybatis;

import io.acidq.store.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a worker keeps between its transactions: not for long, since others wait for the pool too. Confined to the worker's thread. */
final class Kept implements Transactions.Stay {

    private static final Duration LONGEST = Duration.ofMillis(100);

    private final Loans loans;
    private final Runnable end;
    private @Nullable Loan loan;

    /**
     * Keeps nothing yet.
     *
     * @param end called when the stay ends
     */
    Kept(Loans loans, Runnable end) {
        this.loans = loans;
        this.end = end;
    }

    /** The one that is kept, or another. */
    Loan take() throws SQLException {
        if (loan != null && loan.isOlderThan(LONGEST)) {
            rest();
        }
        Loan next = loan == null ? loans.take() : loan;
        loan = null;
        return next;
    }

    void keep(Loan done) {
        rest();
        loan = done;
    }

    @Override
    public void rest() {
        Loan idle = loan;
        loan = null;
        if (idle != null) {
            idle.giveBack();
        }
    }

    @Override
    public void close() {
        rest();
        end.run();
    }
}
