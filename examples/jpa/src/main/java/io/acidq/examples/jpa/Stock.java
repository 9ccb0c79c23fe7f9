package io.acidq.examples.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

/** The stock of an article. The version detects two transactions that take from it at the same time. */
@Entity
class Stock {

    @Id
    private String article = "";

    private int quantity;

    @Version
    private long version;

    protected Stock() {}

    Stock(String article, int quantity) {
        this.article = article;
        this.quantity = quantity;
    }

    int quantity() {
        return quantity;
    }

    void take(int wanted) {
        if (wanted > quantity) {
            throw new IllegalStateException("of " + article + " there are " + quantity + ", wanted " + wanted);
        }
        quantity -= wanted;
    }
}
