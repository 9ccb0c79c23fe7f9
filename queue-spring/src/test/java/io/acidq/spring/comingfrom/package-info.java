/** The code of the page coming-from.md: it is compiled, and shown there. */
@NullMarked
package io.acidq.spring.comingfrom;

import org.jspecify.annotations.NullMarked;
