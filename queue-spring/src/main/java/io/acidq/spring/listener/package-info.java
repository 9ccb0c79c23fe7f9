/**
 * The listener side: finds the methods with {@code @QueueListener}, reads what they declare into listeners of an engine, and calls them with
 * the arguments that they take. Not API: the public types here are for the configuration of this module.
 */
@NullMarked
package io.acidq.spring.listener;

import org.jspecify.annotations.NullMarked;
