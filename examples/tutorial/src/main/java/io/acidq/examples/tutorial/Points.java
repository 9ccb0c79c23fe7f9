package io.acidq.examples.tutorial;

import io.acidq.spring.QueueListener;
import org.springframework.stereotype.Component;

/** Gives points for purchases. */
@Component
class Points {

    private final AccountMapper accounts;

    Points(AccountMapper accounts) {
        this.accounts = accounts;
    }

    // snippet:listen
    /** Its statement and the end of the message are one transaction, which AcidQ begins and ends. */
    @QueueListener(queue = Shop.MADE, concurrency = "4", retry = "points")
    void credit(Purchase purchase) {
        accounts.addPoints(purchase.customer(), purchase.cents() / 100);
        if (purchase.cents() < 0) {
            throw new IllegalArgumentException("purchase " + purchase.number() + " has a negative price");
        }
    }
    // /snippet

    // snippet:remind
    @QueueListener(queue = Shop.REMIND, concurrency = "1")
    void remind(Reminder reminder) {
        accounts.remind(reminder.customer());
    }
    // /snippet
}
