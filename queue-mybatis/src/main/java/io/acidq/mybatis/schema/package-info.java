/** The shipped tables, and how a database differs from them. */
@NullMarked
package io.acidq.mybatis.schema;

import org.jspecify.annotations.NullMarked;
