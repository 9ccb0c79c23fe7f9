/** Internal: no API. Runs in the caller's transaction: enqueues with their message keys, and the inbox. */
@NullMarked
package io.acidq.engine.enqueue;

import org.jspecify.annotations.NullMarked;
