/** Internal: no API. Calls the interceptors of an engine around enqueues and handlers. */
@NullMarked
package io.acidq.engine.interceptor;

import org.jspecify.annotations.NullMarked;
