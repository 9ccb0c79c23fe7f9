/** Bounded access to the databases: how many requests use one at once, what is known while it is away, and the sample of its queues. Not part of the public API. */
@NullMarked
package io.acidq.dashboard.read;

import org.jspecify.annotations.NullMarked;
