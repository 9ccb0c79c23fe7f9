/** The faults of processes, network and server. Each fault counts how often it has struck. */
@NullMarked
package io.acidq.chaos.fault;

import org.jspecify.annotations.NullMarked;
