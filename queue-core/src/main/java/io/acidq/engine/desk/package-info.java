/** Internal: no API. What operators ask for and do: dead letters, blocked keys, pauses, counts, reasons, the audit of it. */
@NullMarked
package io.acidq.engine.desk;

import org.jspecify.annotations.NullMarked;
