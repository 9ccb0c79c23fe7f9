/**
 * The port to the database: what the engine asks of a store, cut by transaction and purpose, and the records that cross it. A method
 * ending in {@code IfClaimed}, {@code IfAlive}, {@code IfSilent} or {@code IfDead} is a compare-and-set and returns whether it won.
 */
@NullMarked
package io.acidq.store;

import org.jspecify.annotations.NullMarked;
