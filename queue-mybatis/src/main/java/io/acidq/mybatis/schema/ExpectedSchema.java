package io.acidq.mybatis.schema;

import io.acidq.mybatis.session.Vendor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The shipped file that creates the tables.
 *
 * @param resource where it lies in the jar
 * @param text     its text
 */
record ExpectedSchema(String resource, String text) {

    static ExpectedSchema of(Vendor vendor) {
        String resource = vendor.schemaResource();
        return new ExpectedSchema(resource, read(resource));
    }

    /** Reads a file of this module's jar. */
    static String read(String resource) {
        try (InputStream file = ExpectedSchema.class.getResourceAsStream(resource)) {
            if (file == null) {
                throw new IllegalStateException("missing in the jar of queue-mybatis: " + resource);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("unreadable in the jar of queue-mybatis: " + resource, e);
        }
    }

    /** Its statements without comments and semicolons. */
    List<String> statements() {
        return Arrays.stream(text.split(";\\s*(\n|$)", -1))
                .map(s -> s.replaceAll("(?m)^--.*\n", "").strip())
                .filter(s -> !s.isEmpty())
                .toList();
    }

    List<ExpectedTable> tables() {
        return statements().stream()
                .filter(s -> s.startsWith("CREATE TABLE"))
                .map(ExpectedTable::of)
                .toList();
    }

    /** The statement that writes the version, on one line. */
    String insertVersion() {
        return statements().stream()
                .filter(s -> s.startsWith("INSERT"))
                .findFirst()
                .orElseThrow()
                .replaceAll("\n\\s*", " ");
    }
}
