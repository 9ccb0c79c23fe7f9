/** The processes under test: producers and workers, their actions, and their journals. */
@NullMarked
package io.acidq.chaos.role;

import org.jspecify.annotations.NullMarked;
