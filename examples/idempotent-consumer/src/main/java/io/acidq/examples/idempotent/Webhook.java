package io.acidq.examples.idempotent;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The endpoint that the payment provider calls, and calls again when it gets no response. */
@RestController
class Webhook {

    private final Payments payments;

    Webhook(Payments payments) {
        this.payments = payments;
    }

    /** A repetition returns success too: after any other response the provider calls again. */
    @PostMapping("/payments")
    String paid(@RequestBody Paid event) {
        return payments.received(event) ? "booked" : "booked before";
    }
}
