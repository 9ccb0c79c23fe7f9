/**
 * The API that applications use: queues, handlers, outcomes, the inbox and the exceptions. All other packages depend on this one; it depends on none of
 * them.
 */
@NullMarked
package io.acidq;

import org.jspecify.annotations.NullMarked;
