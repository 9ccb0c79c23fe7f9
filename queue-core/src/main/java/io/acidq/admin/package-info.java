/**
 * The API for operators: queues, messages, dead letters, blocked keys, subscriptions, recurring messages, nodes, failed attempts, the archive, the
 * history and the audit log. The methods of the engine return these interfaces.
 */
@NullMarked
package io.acidq.admin;

import org.jspecify.annotations.NullMarked;
