/**
 * A real MariaDB for development, which starts and ends with the JVM and needs no installation or configuration.
 * Applications use {@link io.acidq.devdb.DevDatabase}. The other public types are for the tests of AcidQ, which run MySQL in the
 * same way.
 */
@NullMarked
package io.acidq.devdb;

import org.jspecify.annotations.NullMarked;
