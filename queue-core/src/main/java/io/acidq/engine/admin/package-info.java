/** Internal: no API. Implements the interfaces of {@code io.acidq.admin} over the store. */
@NullMarked
package io.acidq.engine.admin;

import org.jspecify.annotations.NullMarked;
