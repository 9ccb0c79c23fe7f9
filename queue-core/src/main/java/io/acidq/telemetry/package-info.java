/** What an engine tells of itself: an event for each transition, the state of its queues, and of its database. */
@NullMarked
package io.acidq.telemetry;

import org.jspecify.annotations.NullMarked;
