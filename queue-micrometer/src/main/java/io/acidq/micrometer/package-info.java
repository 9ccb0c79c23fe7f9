/** Micrometer support for an engine: meters, sampled gauges, and observations that propagate the trace context in the headers of messages. */
@NullMarked
package io.acidq.micrometer;

import org.jspecify.annotations.NullMarked;
