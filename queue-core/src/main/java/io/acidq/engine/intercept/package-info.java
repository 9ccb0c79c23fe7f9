/** Internal: no API. Calls the interceptors around enqueues and handlers, so that they harm nobody. */
@NullMarked
package io.acidq.engine.intercept;

import org.jspecify.annotations.NullMarked;
