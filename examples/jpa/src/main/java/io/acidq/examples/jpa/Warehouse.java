package io.acidq.examples.jpa;

import io.acidq.Delivery;
import io.acidq.spring.QueueListener;
import jakarta.persistence.EntityManager;
import java.util.Objects;
import org.springframework.stereotype.Component;

/** Reserves what was bought: reservation, stock and the end of the message commit together or not at all. */
@Component
class Warehouse {

    private final EntityManager entities;

    Warehouse(EntityManager entities) {
        this.entities = entities;
    }

    // snippet:listen
    @QueueListener(queue = Shop.PLACED, retry = "warehouse") // transactionSize stays 1
    void reserve(PurchasePlaced placed, Delivery delivery) {
        entities.persist(new Reservation(placed.purchase(), delivery.attempt()));
        Stock stock = entities.find(Stock.class, placed.article());
        Objects.requireNonNull(stock, placed.article())
                .take(placed.quantity()); // UPDATE … WHERE version = ?, at the flush before the commit
    }
    // /snippet
}
