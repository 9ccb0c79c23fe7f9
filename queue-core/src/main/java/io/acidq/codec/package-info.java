/** The encoding of payloads under logical type names. No class name is stored, and no class is instantiated by a name from a row. */
@NullMarked
package io.acidq.codec;

import org.jspecify.annotations.NullMarked;
