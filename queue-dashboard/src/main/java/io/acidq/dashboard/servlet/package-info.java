/** The adapter for servlet containers. */
@NullMarked
package io.acidq.dashboard.servlet;

import org.jspecify.annotations.NullMarked;
