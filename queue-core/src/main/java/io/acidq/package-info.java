/**
 * The API that applications use: queues, handlers, outcomes, receipts, recurring messages, the inbox and the exceptions. {@code InputChecks} and
 * {@code Plural} are internal: they are public because all other packages use them. All other packages depend on this one; it depends on none of them.
 */
@NullMarked
package io.acidq;

import org.jspecify.annotations.NullMarked;
