/** The settings of an engine, of its queues and of its listeners: immutable records, checked at once. */
@NullMarked
package io.acidq.config;

import org.jspecify.annotations.NullMarked;
