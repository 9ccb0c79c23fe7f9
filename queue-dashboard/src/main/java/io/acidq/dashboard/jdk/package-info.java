/** The adapter for the HTTP server of the JDK. */
@NullMarked
package io.acidq.dashboard.jdk;

import org.jspecify.annotations.NullMarked;
