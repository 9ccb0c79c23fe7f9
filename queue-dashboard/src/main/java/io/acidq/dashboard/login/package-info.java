/** Those who sign in at the dashboard itself, for a dashboard that no application protects. */
@NullMarked
package io.acidq.dashboard.login;

import org.jspecify.annotations.NullMarked;
