/**
 * The application of the tutorial: purchases give points, through a queue. {@code Shop} and {@code Points} are what an
 * application writes; {@code Till} buys and counts.
 */
@NullMarked
package io.acidq.examples.tutorial;

import org.jspecify.annotations.NullMarked;
