package io.acidq.testservers;

/** The build that runs every test with its full numbers, by {@code mvn verify -Pfull}; others leave out repeats and make do with less. */
public final class FullBuild {

    /** Whether this is one. */
    public static final boolean IS_ON = Boolean.getBoolean("acidq.test.full");

    private FullBuild() {}
}
