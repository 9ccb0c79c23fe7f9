/**
 * Retry policies and guards: circuit breakers, rate limits and bulkheads. The only package that uses Resilience4j; only
 * {@link io.acidq.resilience.Resilience4jGuards} has its types in public signatures.
 */
@NullMarked
package io.acidq.resilience;

import org.jspecify.annotations.NullMarked;
