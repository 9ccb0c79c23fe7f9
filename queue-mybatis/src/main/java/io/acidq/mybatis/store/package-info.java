/** The parts of the store, one per role of the port, with their mappers. A method is one transaction or joins one, never both. */
@NullMarked
package io.acidq.mybatis.store;

import org.jspecify.annotations.NullMarked;
