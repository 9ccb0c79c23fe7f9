package io.acidq.examples.mybatis;

import java.util.List;

/**
 * Goods that have come.
 *
 * @param note     its number
 * @param articles one line for each
 */
public record Delivered(int note, List<String> articles) {}
