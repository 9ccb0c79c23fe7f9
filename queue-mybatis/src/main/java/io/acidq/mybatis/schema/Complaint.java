package io.acidq.mybatis.schema;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a database.
 *
 * @param text   all that differs, in words; empty when nothing does
 * @param action what to do, where that is not in the text
 */
record Complaint(String text, @Nullable String action) {}
