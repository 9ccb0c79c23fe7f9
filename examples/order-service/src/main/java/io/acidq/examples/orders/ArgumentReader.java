package io.acidq.examples.orders;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ApplicationArguments;

/** Reads the arguments and refuses a wrong one with a list of the allowed values. */
final class ArgumentReader {

    /** Those of Spring Boot that have no dot. */
    private static final Set<String> OF_SPRING = Set.of("debug", "trace");

    private final ApplicationArguments arguments;
    private final Set<String> known = new TreeSet<>();

    ArgumentReader(ApplicationArguments arguments) {
        this.arguments = arguments;
    }

    int whole(String name, int otherwise, int least, int most) {
        String text = text(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw refused(name, text, "a whole number from " + least + " to " + most);
    }

    double share(String name, double otherwise) {
        String text = text(name);
        if (text == null) {
            return otherwise;
        }
        try {
            double number = Double.parseDouble(text);
            if (number >= 0 && number <= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw refused(name, text, "a number from 0 to 1, such as 0.2");
    }

    <E extends Enum<E>> E choice(String name, E otherwise) {
        String text = text(name);
        E[] all = otherwise.getDeclaringClass().getEnumConstants();
        if (text == null) {
            return otherwise;
        }
        return Arrays.stream(all)
                .filter(e -> e.toString().equals(text))
                .findAny()
                .orElseThrow(() -> refused(
                        name,
                        text,
                        "one of " + Arrays.stream(all).map(E::toString).collect(Collectors.joining(", "))));
    }

    /** To be called last. */
    void refuseOthers() {
        String allowed = known.stream().map(n -> "--" + n).collect(Collectors.joining(", "))
                + " with values, and Spring properties such as --spring.datasource.url";
        for (String word : arguments.getNonOptionArgs()) {
            throw new BadArgumentException("'" + word + "' is no argument; allowed are " + allowed);
        }
        for (String name : arguments.getOptionNames()) {
            if (!known.contains(name) && !name.contains(".") && !OF_SPRING.contains(name)) {
                throw new BadArgumentException("--" + name + " is no argument; allowed are " + allowed);
            }
        }
    }

    private @Nullable String text(String name) {
        known.add(name);
        List<String> values = arguments.getOptionValues(name);
        if (values == null) {
            return null;
        }
        if (values.size() != 1) {
            throw new BadArgumentException(
                    "--" + name + " needs one value, --" + name + "=...; it has " + values.size());
        }
        return values.get(0);
    }

    private static BadArgumentException refused(String name, String text, String allowed) {
        return new BadArgumentException("--" + name + "=" + text + " is not allowed: give " + allowed);
    }
}
