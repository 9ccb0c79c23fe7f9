package io.acidq.examples.tutorial;

import io.acidq.admin.Backlog;
import io.acidq.engine.Engine;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Buys {@code --shop.buy} times, then shows once a second how far the points are, until nothing waits. */
@Component
@ConditionalOnProperty("shop.buy")
class Till implements ApplicationRunner {

    private static final int CUSTOMERS = 20;

    private final Shop shop;
    private final Engine engine;
    private final PurchaseMapper purchases;
    private final AccountMapper accounts;
    private final TransactionTemplate atOnce;
    private final int count;

    Till(
            Shop shop,
            Engine engine,
            PurchaseMapper purchases,
            AccountMapper accounts,
            TransactionTemplate atOnce,
            @Value("${shop.buy}") int count) {
        this.shop = shop;
        this.engine = engine;
        this.purchases = purchases;
        this.accounts = accounts;
        this.atOnce = atOnce;
        this.count = count;
    }

    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        long before = purchases.count();
        // snippet:together
        atOnce.executeWithoutResult(
                open -> { // one transaction around all of them: none of their messages is there before its end
                    for (int i = 1; i <= count; i++) {
                        int customer = 1 + i % CUSTOMERS;
                        int cents = ThreadLocalRandom.current().nextInt(100, 10_000);
                        shop.buy(new Purchase("till-" + (before + i), customer, cents));
                    }
                });
        // /snippet
        while (waiting() > 0) {
            System.out.println(line());
            Thread.sleep(1000);
        }
        System.out.println(line());
    }

    private int waiting() {
        Backlog backlog = engine.backlog(Shop.MADE);
        return backlog.ready() + backlog.running() + backlog.waiting() + backlog.scheduled();
    }

    private String line() {
        return "purchases=" + purchases.count() + " worth=" + purchases.worth() + " points=" + accounts.points()
                + " waiting=" + waiting();
    }
}
