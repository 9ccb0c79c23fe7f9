/** Connections handed to application code inside a transaction that AcidQ owns: they remember what must not be committed. */
@NullMarked
package io.acidq.mybatis.guard;

import org.jspecify.annotations.NullMarked;
