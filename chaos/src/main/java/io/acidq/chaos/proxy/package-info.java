/** A TCP proxy before a server: it understands as much of MySQL's packets as it takes to break a connection at an exact place. */
@NullMarked
package io.acidq.chaos.proxy;

import org.jspecify.annotations.NullMarked;
