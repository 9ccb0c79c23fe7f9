/** The way of a request: the route, its permission and scope, the parameters, and the answer. Not part of the public API. */
@NullMarked
package io.acidq.dashboard.route;

import org.jspecify.annotations.NullMarked;
