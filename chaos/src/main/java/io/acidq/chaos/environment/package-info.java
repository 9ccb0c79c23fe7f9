/** Where it happens: the server, the processes around it, the proxies between them. */
@NullMarked
package io.acidq.chaos.environment;

import org.jspecify.annotations.NullMarked;
