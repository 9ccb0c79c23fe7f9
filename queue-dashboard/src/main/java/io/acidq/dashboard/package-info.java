/**
 * The dashboard: screens and a JSON API for operators over HTTP, for any server. {@link io.acidq.dashboard.Dashboard} answers requests; adapters for
 * servlet containers and for the server of the JDK pass them on.
 */
@NullMarked
package io.acidq.dashboard;

import org.jspecify.annotations.NullMarked;
