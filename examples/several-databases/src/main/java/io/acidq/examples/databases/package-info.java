/** A shop and its billing, each with a database of its own, and what goes from one to the other. */
@NullMarked
package io.acidq.examples.databases;

import org.jspecify.annotations.NullMarked;
