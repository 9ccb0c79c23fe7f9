/**
 * The store for MySQL and MariaDB. Every SQL statement of the project is in a MyBatis mapper of this module. Start with {@link io.acidq.mybatis.Schema} and
 * {@link io.acidq.mybatis.MyBatisStore}; plain Java also uses {@link io.acidq.mybatis.JdbcTransactions}.
 */
@NullMarked
package io.acidq.mybatis;

import org.jspecify.annotations.NullMarked;
