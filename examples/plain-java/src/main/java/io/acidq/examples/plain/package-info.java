/** The queue without a framework: a {@code DataSource}, a handler as a lambda, and plain JDBC. */
@NullMarked
package io.acidq.examples.plain;

import org.jspecify.annotations.NullMarked;
