/** The command line: one class for each command, over the public API of an engine without listeners. */
@NullMarked
package io.acidq.cli;

import org.jspecify.annotations.NullMarked;
