package io.acidq.examples.retry;

import static io.acidq.EnqueueOptions.options;

import io.acidq.Delivery;
import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.spring.QueueListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Collects due amounts and writes to the customers who paid. */
@Component
class Collecting {

    static final String MONEY_DUE = "money.due";
    static final String LETTER_DUE = "letter.due";

    private final Bank bank;
    private final JdbcTemplate jdbc;
    private final MessageQueue queue;

    Collecting(Bank bank, JdbcTemplate jdbc, MessageQueue queue) {
        this.bank = bank;
        this.jdbc = jdbc;
        this.queue = queue;
    }

    @Transactional
    public void due(Due due) {
        queue.enqueue(MONEY_DUE, due, options().key(due.account()));
    }

    // snippet:listen
    /** Turns the answer of the bank into an outcome. An exception of the bank is left to the retry policy. */
    @QueueListener(queue = MONEY_DUE, retry = "bankRetry")
    Outcome collect(Due due, Delivery delivery) {
        jdbc.update("INSERT INTO collected (account, attempt) VALUES (?, ?)", due.account(), delivery.attempt());
        queue.enqueue(LETTER_DUE, due);
        return switch (bank.collect(due.account())) {
            case CLOSED_FOR_NOW -> Outcome.snooze(Bank.OPENS_IN, "the bank is closed"); // no attempt counts
            case PAID_ALREADY -> Outcome.cancel("paid already"); // leaves without effects and without a dead letter
            default -> Outcome.done();
        };
    }

    /** Its policy is in application.yaml. */
    @QueueListener(queue = LETTER_DUE, retry = "letters")
    void write(Due due) {
        if (due.cents() < 0) {
            throw new IllegalArgumentException("nobody owes " + due.cents());
        }
        jdbc.update("INSERT INTO letters (account) VALUES (?)", due.account());
    }
    // /snippet
}
