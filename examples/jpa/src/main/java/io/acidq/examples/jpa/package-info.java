/** A shop with JPA: entities and messages in one transaction of the {@code JpaTransactionManager}. */
@NullMarked
package io.acidq.examples.jpa;

import org.jspecify.annotations.NullMarked;
