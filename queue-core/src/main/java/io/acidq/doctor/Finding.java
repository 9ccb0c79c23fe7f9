package io.acidq.doctor;

/**
 * What one check found.
 *
 * @param check  the check
 * @param level  how much it matters
 * @param found  what was found, in words for people
 * @param advice what to do; empty when there is nothing to do
 */
public record Finding(Check check, Level level, String found, String advice) {}
