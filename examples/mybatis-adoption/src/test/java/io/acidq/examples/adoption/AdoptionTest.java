package io.acidq.examples.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The diff of the README leads from an application that knows no AcidQ to the sources as they are. */
class AdoptionTest {

    private static final Path SOURCES = Path.of("src/main/java/io/acidq/examples/adoption");

    @Test
    void beginsWithAnApplicationThatCompilesWithoutAcidQ(@TempDir Path folder) throws IOException {
        Map<String, String> before = AdoptionDiff.before();
        assertThat(before).hasSize(4);
        Path sources = folder.resolve("sources");
        Files.createDirectories(sources);
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.toList()) {
                String text = before.getOrDefault(file.toString(), Files.readString(file));
                Files.writeString(sources.resolve(file.getFileName()), text);
            }
        }

        int result = compile(sources, folder.resolve("classes"));

        assertThat(result).as("exit code of javac").isZero();
    }

    @Test
    void takesEveryTraceOfAcidQAwayWithTheDiff() throws IOException {
        assertThat(AdoptionDiff.before())
                .allSatisfy((path, text) -> assertThat(text)
                        .as(path)
                        .doesNotContain(
                                "@Publish",
                                "@QueueListener",
                                "io.acidq.spring",
                                "\nacidq:",
                                "<artifactId>queue-spring"));
    }

    private static int compile(Path sources, Path classes) throws IOException {
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*queue-(core|mybatis|spring).*"))
                .filter(entry -> !entry.contains("mybatis-adoption"))
                .collect(Collectors.joining(File.pathSeparator));
        try (Stream<Path> files = Files.list(sources)) {
            String[] arguments = Stream.concat(
                            Stream.of("-proc:none", "-parameters", "-d", classes.toString(), "-cp", classPath),
                            files.map(Path::toString))
                    .toArray(String[]::new);
            return ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments);
        }
    }
}
