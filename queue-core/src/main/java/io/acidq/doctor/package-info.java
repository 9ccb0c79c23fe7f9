/**
 * Examines a database, its server and the connections to it for what AcidQ needs and what has been found to go wrong. Changes nothing that
 * lasts, and can be run beside engines at any time.
 */
@NullMarked
package io.acidq.doctor;

import org.jspecify.annotations.NullMarked;
