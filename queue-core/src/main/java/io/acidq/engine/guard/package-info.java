/** Internal: no API. Decides whether messages of a queue may start: circuit breaker, rate limit, bulkhead, pause. */
@NullMarked
package io.acidq.engine.guard;

import org.jspecify.annotations.NullMarked;
