/** The connection that application code sees inside a transaction. It refuses calls that would end the transaction, and records errors that ended it. */
@NullMarked
package io.acidq.mybatis.transaction;

import org.jspecify.annotations.NullMarked;
