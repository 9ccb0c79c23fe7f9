/** The events of an engine, and the state of its queues and of its database. */
@NullMarked
package io.acidq.telemetry;

import org.jspecify.annotations.NullMarked;
