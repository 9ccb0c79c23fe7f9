package io.acidq.examples.nightlyreport;

/** Orders the report of a tenant. */
public record ReportOrder(String tenant) {}
