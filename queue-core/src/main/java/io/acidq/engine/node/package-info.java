/** Internal: no API. The node: its heartbeat, the detection of dead nodes, and the parts that its queues share. */
@NullMarked
package io.acidq.engine.node;

import org.jspecify.annotations.NullMarked;
