/**
 * Internal: no API. The background tasks that free, requeue, move and remove rows: {@code Rescuer}, {@code Reconciler}, {@code DueMessageMover},
 * {@code Cleaner}, {@code BacklogMonitor}.
 */
@NullMarked
package io.acidq.engine.maintenance;

import org.jspecify.annotations.NullMarked;
