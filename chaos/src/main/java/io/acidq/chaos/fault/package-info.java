/** What is done to the processes, the network and the server; each fault counts how often it has struck. */
@NullMarked
package io.acidq.chaos.fault;

import org.jspecify.annotations.NullMarked;
