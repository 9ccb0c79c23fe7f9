/** Internal: no API. The periodic duties of an engine, their loop, what wakes them, and what they know of the database. */
@NullMarked
package io.acidq.engine.duty;

import org.jspecify.annotations.NullMarked;
