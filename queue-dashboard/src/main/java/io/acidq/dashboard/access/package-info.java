/** Who may do what: users, permissions, the policy of an application, and the mask of payloads, headers and error texts. */
@NullMarked
package io.acidq.dashboard.access;

import org.jspecify.annotations.NullMarked;
