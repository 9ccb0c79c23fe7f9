/**
 * AcidQ in Spring Boot: wiring only. Makes the store over the application's {@code DataSource} and transaction manager, the schema if
 * wanted, and an engine out of properties; every bean gives way to one of the application's own.
 */
@NullMarked
package io.acidq.boot;

import org.jspecify.annotations.NullMarked;
