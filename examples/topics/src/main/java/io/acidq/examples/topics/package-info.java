/** A shop publishes each order once. Billing, stock and mail each get it, and one of them fails without the others noticing. */
@NullMarked
package io.acidq.examples.topics;

import org.jspecify.annotations.NullMarked;
