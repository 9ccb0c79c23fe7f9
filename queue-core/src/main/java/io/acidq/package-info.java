/**
 * The nouns of AcidQ and its exceptions: what an application says to the queue and hears from it. Every other package
 * depends on this one; it depends on none of them.
 */
@NullMarked
package io.acidq;

import org.jspecify.annotations.NullMarked;
