/** The definitions of the tables and their comparison with a database. */
@NullMarked
package io.acidq.mybatis.schema;

import org.jspecify.annotations.NullMarked;
