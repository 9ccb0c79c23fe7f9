/** Money is collected from a bank that fails in many ways, and each way is answered by a rule or an outcome. */
@NullMarked
package io.acidq.examples.retry;

import org.jspecify.annotations.NullMarked;
