/**
 * How statements reach a database: which vendor it is, mapper sessions over a given connection, short transactions on connections of
 * the store's own, and what an error means to the caller.
 */
@NullMarked
package io.acidq.mybatis.session;

import org.jspecify.annotations.NullMarked;
