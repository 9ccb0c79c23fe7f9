/**
 * The doctor: it examines a database, its server and the connections to it for what AcidQ needs and for known problems. It changes nothing permanently and can
 * run at any time beside engines.
 */
@NullMarked
package io.acidq.doctor;

import org.jspecify.annotations.NullMarked;
