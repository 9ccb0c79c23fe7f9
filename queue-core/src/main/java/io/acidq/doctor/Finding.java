package io.acidq.doctor;

/**
 * The result of a check.
 *
 * @param check  the check
 * @param level  how serious it is
 * @param found  what was found and why it matters, as a text for people
 * @param advice what to do; empty when there is nothing to do
 */
public record Finding(Check check, Level level, String found, String advice) {

    /** How serious a finding is, in ascending order. */
    public enum Level {
        /** As it should be. */
        OK,
        /** It works now and may fail under some conditions, or it could not be checked. */
        WARNING,
        /** Messages are not processed, or not as promised. */
        PROBLEM
    }
}
