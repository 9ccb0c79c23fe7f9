/** Internal: no API. The life of a node: its heartbeat, the crashes of others and the rescue of their claims, and the tasks that each node does for all queues. */
@NullMarked
package io.acidq.engine.node;

import org.jspecify.annotations.NullMarked;
