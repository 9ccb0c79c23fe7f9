/** The processes that are harmed: producers and workers, what they do, and the journals in which they say so. */
@NullMarked
package io.acidq.chaos.role;

import org.jspecify.annotations.NullMarked;
