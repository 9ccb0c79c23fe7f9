/**
 * How the attributes of AcidQ's annotations are read: placeholders, bean expressions and SpEL with checked variables. Used for publishing and
 * for listeners alike. Not API: the public types here are for the other packages of this module.
 */
@NullMarked
package io.acidq.spring.expression;

import org.jspecify.annotations.NullMarked;
