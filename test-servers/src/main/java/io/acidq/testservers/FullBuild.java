package io.acidq.testservers;

/** The build that runs every test with full numbers ({@code mvn verify -Pfull}). Other builds skip repetitions and use smaller numbers. */
public final class FullBuild {

    /** Whether this is the full build. */
    public static final boolean IS_ON = Boolean.getBoolean("acidq.test.full");

    private FullBuild() {}
}
