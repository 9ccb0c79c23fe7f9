package io.acidq.examples.orders;

/**
 * How orders are placed.
 *
 * @param orders    how many
 * @param producers by how many threads
 * @param keyEvery  of so many orders one is announced twice under its message key; 0 for none
 */
record Placing(int orders, int producers, int keyEvery) {

    static final int CUSTOMERS = 100;
}
