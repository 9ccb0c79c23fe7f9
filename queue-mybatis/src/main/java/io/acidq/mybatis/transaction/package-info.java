/** The connection of an application's or a handler's transaction, which refuses what would end it, and remembers what has ended it. */
@NullMarked
package io.acidq.mybatis.transaction;

import org.jspecify.annotations.NullMarked;
