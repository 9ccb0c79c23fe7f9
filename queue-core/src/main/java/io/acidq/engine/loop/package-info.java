/** Internal: no API. Repeats, wakes and stops the background tasks of an engine, and tracks the state of the database and its commits. */
@NullMarked
package io.acidq.engine.loop;

import org.jspecify.annotations.NullMarked;
