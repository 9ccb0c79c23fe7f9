/** The settings of an engine, of its queues and of its listeners: immutable records that are checked when they are created. */
@NullMarked
package io.acidq.config;

import org.jspecify.annotations.NullMarked;
