/** A listener whose effects in two MySQL servers, and the end of its message, commit together by two-phase commit. */
@NullMarked
package io.acidq.examples.jta;

import org.jspecify.annotations.NullMarked;
