/** The routes of the JSON API, one class for each resource. They use the operators' API of the engine and never its store. Not part of the public API. */
@NullMarked
package io.acidq.dashboard.api;

import org.jspecify.annotations.NullMarked;
