package io.acidq.guilty.unmarked;

/** A class in a package that says nothing about null. */
public class Unmarked {}
