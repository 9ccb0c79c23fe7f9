/** What the page on MyBatis shows: two factories of sessions, one of which sends its statements in batches. */
@NullMarked
package io.acidq.examples.mybatis;

import org.jspecify.annotations.NullMarked;
