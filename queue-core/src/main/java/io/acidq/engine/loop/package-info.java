/** Internal: no API. Repeats the background tasks of an engine, wakes them, and tracks whether the database answers and whether anything was committed. */
@NullMarked
package io.acidq.engine.loop;

import org.jspecify.annotations.NullMarked;
