/** Internal: no API. The life of a node: its beat, the deaths of others and the rescue of what they held, and what every node does for all queues. */
@NullMarked
package io.acidq.engine.node;

import org.jspecify.annotations.NullMarked;
