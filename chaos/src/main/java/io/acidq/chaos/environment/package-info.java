/** The server, the processes around it, and the proxies between them. */
@NullMarked
package io.acidq.chaos.environment;

import org.jspecify.annotations.NullMarked;
