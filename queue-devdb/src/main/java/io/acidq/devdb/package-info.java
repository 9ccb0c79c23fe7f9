/**
 * A real MariaDB for development, started and ended with the JVM that asks for it; nothing to install or configure.
 * Applications use {@link io.acidq.devdb.DevDatabase}; the other public types are for the tests of AcidQ itself, which
 * run MySQL by the same means.
 */
@NullMarked
package io.acidq.devdb;

import org.jspecify.annotations.NullMarked;
