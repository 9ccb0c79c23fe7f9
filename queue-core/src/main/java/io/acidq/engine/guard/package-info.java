/** Internal: no API. What holds up the starts of a queue: breaker, rate limit, bulkhead, a pause. */
@NullMarked
package io.acidq.engine.guard;

import org.jspecify.annotations.NullMarked;
