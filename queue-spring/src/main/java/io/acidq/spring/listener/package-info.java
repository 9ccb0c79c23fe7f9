/**
 * Finds the methods with {@code @QueueListener}, creates the listeners of the engines from them, and calls them with their arguments. Not API:
 * the public types here are for the configuration of this module.
 */
@NullMarked
package io.acidq.spring.listener;

import org.jspecify.annotations.NullMarked;
