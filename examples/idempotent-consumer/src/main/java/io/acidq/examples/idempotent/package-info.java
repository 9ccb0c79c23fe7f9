/** Payments that arrive more than once and count once, and a call to an external service that may be repeated. */
@NullMarked
package io.acidq.examples.idempotent;

import org.jspecify.annotations.NullMarked;
