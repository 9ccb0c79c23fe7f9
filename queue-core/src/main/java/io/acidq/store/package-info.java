/**
 * The port to the database: the interfaces that a store implements, divided by transaction and purpose, and their records. A method
 * ending in {@code IfClaimed}, {@code IfAlive}, {@code IfSilent} or {@code IfDead} is a compare-and-set and returns whether it won.
 */
@NullMarked
package io.acidq.store;

import org.jspecify.annotations.NullMarked;
