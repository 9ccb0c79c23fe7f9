package io.acidq.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how many lines a list may have. */
final class LimitConverter implements ITypeConverter<Integer> {

    private static final int MOST = 10_000;

    @Override
    public Integer convert(String text) {
        if (!text.matches("\\d{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST) {
            throw new TypeConversionException("'" + text + "' is no number from 1 to " + MOST);
        }
        return Integer.valueOf(text);
    }
}
