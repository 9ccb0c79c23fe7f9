/** The command line {@code acidq.jar}: picocli commands over the public API of an engine without listeners. */
@NullMarked
package io.acidq.cli;

import org.jspecify.annotations.NullMarked;
