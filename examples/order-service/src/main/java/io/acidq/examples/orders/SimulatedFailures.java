package io.acidq.examples.orders;

import java.util.concurrent.ThreadLocalRandom;

/**
 * What goes wrong on purpose while orders are shipped.
 *
 * @param failRate      the share of runs that throw
 * @param poison        every order whose id is a multiple of this halts the JVM; 0 for none
 * @param handlerMillis how long each run takes
 */
record SimulatedFailures(double failRate, int poison, int handlerMillis) {

    private static final int KILLED = 137;

    void apply(Order order) throws InterruptedException {
        if (handlerMillis > 0) {
            Thread.sleep(handlerMillis);
        }
        if (poison > 0 && order.id() % poison == 0) {
            Runtime.getRuntime().halt(KILLED);
        }
        if (failRate > 0 && ThreadLocalRandom.current().nextDouble() < failRate) {
            throw new IllegalStateException("the parcel of order " + order.id() + " fell off the truck");
        }
    }
}
