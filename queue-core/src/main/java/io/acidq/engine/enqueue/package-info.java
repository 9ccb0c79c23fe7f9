/** Internal: no API. What happens in the caller's transaction: enqueue with its message keys, and the inbox. */
@NullMarked
package io.acidq.engine.enqueue;

import org.jspecify.annotations.NullMarked;
