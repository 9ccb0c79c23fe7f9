package io.acidq.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the project. */
final class Project {

    static final Path ROOT = root();

    private Project() {}

    /** What people read: the pages beside the root POM, those under docs, and those of the examples. */
    static List<Path> pages() {
        try (Stream<Path> atRoot = Files.list(ROOT);
                Stream<Path> english = Files.walk(ROOT.resolve("docs/en"));
                Stream<Path> chinese = Files.walk(ROOT.resolve("docs/zh"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples"), 2)) {
            return Stream.of(atRoot, english, chinese, examples)
                    .flatMap(folder -> folder)
                    .filter(p -> p.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(String path) {
        return text(ROOT.resolve(path));
    }

    /** The nearest folder upwards that holds the modules, wherever the tests were started. */
    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve("queue-core"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("start the tests inside the project");
        }
        return folder;
    }
}
