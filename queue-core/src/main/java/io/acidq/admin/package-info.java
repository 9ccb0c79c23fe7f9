/** The API for operators: queues, messages, dead letters, blocked keys, the archive and the audit log. The methods of the engine return these interfaces. */
@NullMarked
package io.acidq.admin;

import org.jspecify.annotations.NullMarked;
