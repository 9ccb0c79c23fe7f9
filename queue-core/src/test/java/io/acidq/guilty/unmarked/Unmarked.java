package io.acidq.guilty.unmarked;

/** A class in a package without @NullMarked. */
public class Unmarked {}
