/**
 * Auto-configuration for Spring Boot: the store over the application's {@code DataSource} and transaction manager, its schema, and an engine
 * with settings from properties. A bean of the application takes precedence over a bean of this package.
 */
@NullMarked
package io.acidq.boot;

import org.jspecify.annotations.NullMarked;
