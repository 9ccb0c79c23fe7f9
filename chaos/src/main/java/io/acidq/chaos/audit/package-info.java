/** The invariants of a run, and the audit that checks them by journals and plain SQL, independent of the engine. */
@NullMarked
package io.acidq.chaos.audit;

import org.jspecify.annotations.NullMarked;
