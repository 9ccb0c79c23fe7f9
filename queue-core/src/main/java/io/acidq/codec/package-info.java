/** Payloads to bytes and back, under logical type names: no class name is ever stored, none ever instantiated from a row. */
@NullMarked
package io.acidq.codec;

import org.jspecify.annotations.NullMarked;
