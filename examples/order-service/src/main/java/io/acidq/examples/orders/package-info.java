/**
 * The example of the README: orders are placed and shipped through the queue, and at the end the counts must be consistent, whatever happened on the
 * way. {@code OrderService} and {@code Shipping} are what an application writes; the rest puts them under load and counts.
 */
@NullMarked
package io.acidq.examples.orders;

import org.jspecify.annotations.NullMarked;
