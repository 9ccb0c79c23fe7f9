/** Retry policies. The only package that knows Resilience4j; no signature of it leaks. */
@NullMarked
package io.acidq.resilience;

import org.jspecify.annotations.NullMarked;
