package io.acidq.examples.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

/** A purchase of a customer. */
@Entity
class Purchase {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private long id;

    private String article = "";
    private int quantity;

    protected Purchase() {}

    Purchase(String article, int quantity) {
        this.article = article;
        this.quantity = quantity;
    }

    /** The payload of its message: a record, because an entity ends with its persistence context. */
    PurchasePlaced placed() {
        return new PurchasePlaced(id, article, quantity);
    }
}
