/** A report every night for each tenant, in the time zone of the tenant. */
@NullMarked
package io.acidq.examples.nightlyreport;

import org.jspecify.annotations.NullMarked;
