/** What operators read and do: queues, messages, dead letters, blocked keys, the archive and the audit log. The engine hands out these interfaces. */
@NullMarked
package io.acidq.admin;

import org.jspecify.annotations.NullMarked;
