package io.acidq.benchmarks.candidate;

/** Whose a candidate is. */
public enum CandidateKind {
    /** SQL as somebody without a library writes it, or a ceiling: every other candidate's figures are divided by its figures. */
    HAND_WRITTEN,
    ACIDQ,
    PEER
}
