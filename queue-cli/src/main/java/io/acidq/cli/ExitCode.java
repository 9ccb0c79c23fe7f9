package io.acidq.cli;

/** What the program tells the shell. */
final class ExitCode {

    static final int FINE = 0;
    static final int REFUSED = 1;
    static final int USAGE = 2;
    static final int UNREACHED = 3;

    private ExitCode() {}
}
