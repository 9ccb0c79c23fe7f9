package io.acidq.examples.idempotent;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What the payment provider calls, and calls again when it has seen no answer. */
@RestController
class Webhook {

    private final Payments payments;

    Webhook(Payments payments) {
        this.payments = payments;
    }

    /** A repetition is a success too: any other answer would be called again. */
    @PostMapping("/payments")
    String paid(@RequestBody Paid event) {
        return payments.received(event) ? "booked" : "booked before";
    }
}
