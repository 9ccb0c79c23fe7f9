/** A TCP proxy in front of a server, which reads MySQL's packets to break a connection at an exact point. */
@NullMarked
package io.acidq.chaos.proxy;

import org.jspecify.annotations.NullMarked;
