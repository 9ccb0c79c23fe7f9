/** An engine in the terms of Micrometer: meters, sampled gauges, and observations that carry the trace context in the headers of messages. */
@NullMarked
package io.acidq.micrometer;

import org.jspecify.annotations.NullMarked;
