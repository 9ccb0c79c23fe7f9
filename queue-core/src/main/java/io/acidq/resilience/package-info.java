/**
 * Retry policies, and guards before the starts of a queue: circuit breakers, rate limits, bulkheads. The only package that knows
 * Resilience4j; no signature of it leaks but through {@link io.acidq.resilience.Resilience4jGuards}.
 */
@NullMarked
package io.acidq.resilience;

import org.jspecify.annotations.NullMarked;
