package io.acidq.examples.jpa;

import io.acidq.spring.Publish;
import jakarta.persistence.EntityManager;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Sells: the purchase and its message commit together or not at all. */
@Service
class Shop {

    static final String PLACED = "purchase.placed";

    private final EntityManager entities;

    Shop(EntityManager entities) {
        this.entities = entities;
    }

    // snippet:publish
    @Transactional
    @Publish(queue = PLACED, key = "#result.purchase")
    public PurchasePlaced buy(String article, int quantity) {
        Purchase purchase = new Purchase(article, quantity);
        entities.persist(purchase);
        return purchase.placed();
    }
    // /snippet

    @Transactional
    public void deliver(String article, int quantity) {
        entities.persist(new Stock(article, quantity));
    }
}
