/**
 * The store on MySQL and MariaDB: every SQL statement of the project is a MyBatis mapper of this module. Begin with
 * {@link io.acidq.mybatis.Schema} and {@link io.acidq.mybatis.MyBatisStore}; plain Java adds {@link io.acidq.mybatis.JdbcTransactions}.
 */
@NullMarked
package io.acidq.mybatis;

import org.jspecify.annotations.NullMarked;
