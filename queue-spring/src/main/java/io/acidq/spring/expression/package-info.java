/**
 * Reading of annotation attributes: placeholders, bean expressions, and SpEL with checked variables, for publishing and for listeners. Not
 * API: the public types here are for the other packages of this module.
 */
@NullMarked
package io.acidq.spring.expression;

import org.jspecify.annotations.NullMarked;
