/** Internal: no API. Implements the interfaces of {@code io.acidq.admin} with the store. */
@NullMarked
package io.acidq.engine.admin;

import org.jspecify.annotations.NullMarked;
