/** Internal: no API. Periodic tasks and their loops, what wakes them, and what they know of the database. */
@NullMarked
package io.acidq.engine.duty;

import org.jspecify.annotations.NullMarked;
