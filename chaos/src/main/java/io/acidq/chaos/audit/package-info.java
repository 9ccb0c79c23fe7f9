/** What must be true when all is over, and in every snapshot on the way; judged by journals and plain SQL, never by the engine's word. */
@NullMarked
package io.acidq.chaos.audit;

import org.jspecify.annotations.NullMarked;
