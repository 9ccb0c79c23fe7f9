package io.acidq.examples.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

/** The goods that were taken from the stock for a purchase, and the attempt that took them. */
@Entity
class Reservation {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private long id;

    private long purchase;
    private int attempt;

    protected Reservation() {}

    Reservation(long purchase, int attempt) {
        this.purchase = purchase;
        this.attempt = attempt;
    }

    @Override
    public String toString() {
        return "reservation " + id + " of purchase " + purchase + ", attempt " + attempt;
    }
}
