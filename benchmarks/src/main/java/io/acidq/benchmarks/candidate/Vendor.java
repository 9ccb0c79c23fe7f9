package io.acidq.benchmarks.candidate;

/** Whose server it is. */
public enum Vendor {
    MYSQL,
    MARIADB
}
