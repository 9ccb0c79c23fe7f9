/** Internal: no API. Calls the interceptors around enqueues and handlers, so that what they throw changes nothing. */
@NullMarked
package io.acidq.engine.intercept;

import org.jspecify.annotations.NullMarked;
