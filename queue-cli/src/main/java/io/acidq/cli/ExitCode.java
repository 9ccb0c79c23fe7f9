package io.acidq.cli;

/** What the program tells the shell. */
final class ExitCode {

    static final int OK = 0;
    static final int REFUSED = 1;
    static final int USAGE = 2;
    static final int UNREACHABLE = 3;

    private ExitCode() {}
}
