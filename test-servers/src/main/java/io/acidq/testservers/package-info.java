/**
 * Real MySQL and MariaDB servers for the tests of all modules, each started once per build by whichever test JVM needs
 * it first. {@link io.acidq.testservers.TestServers} is the entry.
 */
@NullMarked
package io.acidq.testservers;

import org.jspecify.annotations.NullMarked;
