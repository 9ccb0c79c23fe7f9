package io.acidq.chaos.proxy;

import java.util.regex.Pattern;

/** The purpose of a transaction, recognized by its statements. */
public enum TransactionKind {
    /** A caller's transaction that enqueues. */
    ENQUEUE(Pattern.compile("INSERT INTO acidq_(message|scheduled)\\b.*\\bVALUES\\b", Pattern.DOTALL)),
    /** An engine claims messages. */
    CLAIM(Pattern.compile("UPDATE acidq_message\\b.*\\bclaim_no = claim_no \\+ 1", Pattern.DOTALL)),
    /** A handler's transaction, recognized by its acknowledgement. */
    HANDLER(Pattern.compile("DELETE (m )?FROM\\b.*\\bacidq_message\\b.*\\bclaim_no = ", Pattern.DOTALL)),
    /** Anything else. */
    OTHER(Pattern.compile("(?!)"));

    private final Pattern pattern;

    TransactionKind(Pattern pattern) {
        this.pattern = pattern;
    }

    /** The kind after a further statement. The last recognized statement decides, so a handler that enqueues is a handler. */
    TransactionKind then(String statement) {
        for (TransactionKind transactionKind : values()) {
            if (transactionKind.pattern.matcher(statement).find()) {
                return transactionKind;
            }
        }
        return this;
    }
}
