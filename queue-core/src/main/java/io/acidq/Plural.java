package io.acidq;

/** Internal: no API. Numbers with their noun, for the texts of all packages. */
public final class Plural {

    private Plural() {}

    /**
     * Returns the number and the noun, in the plural unless the number is 1: {@code 1 message}, {@code 2 crashes}.
     *
     * @param noun the noun in the singular, with a regular plural
     */
    public static String of(long number, String noun) {
        String ending = noun.endsWith("s") || noun.endsWith("sh") ? "es" : "s";
        return number + " " + noun + (number == 1 ? "" : ending);
    }
}
