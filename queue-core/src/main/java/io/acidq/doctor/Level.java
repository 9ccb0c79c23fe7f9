package io.acidq.doctor;

/** How much a finding matters; rising. */
public enum Level {
    /** As it should be. */
    OK,
    /** It works, and may not always; or it could not be looked at. */
    WARNING,
    /** Messages are not processed, or not as promised. */
    PROBLEM
}
