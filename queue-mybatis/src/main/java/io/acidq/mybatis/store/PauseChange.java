package io.acidq.mybatis.store;

/**
 * A queue is paused, or its pause ends.
 *
 * @param action what the audit table calls it
 */
record PauseChange(int queue, boolean paused, String action, String actor, String reason) {}
