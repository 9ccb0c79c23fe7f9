/** The parts of the store, one class per interface of the port, each with its mapper. A method either runs one transaction or joins one. */
@NullMarked
package io.acidq.mybatis.store;

import org.jspecify.annotations.NullMarked;
