package io.acidq.chaos.audit;

import io.acidq.chaos.role.Deed;
import io.acidq.chaos.role.Journal.Phase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** What the processes have written down, read when they are gone. */
final class Journals {

    private final Path folder;
    private final Map<String, Story> stories = new HashMap<>();
    private final Map<String, Set<String>> claims = new HashMap<>();

    Journals(Path folder) {
        this.folder = folder;
    }

    /** The stories by key; intents first, since a worker's journal may be read before its producer's. */
    Map<String, Story> read() {
        forEachLine(
                Phase.INTENT,
                w -> stories.put(
                        w.get(1),
                        new Story(
                                w.get(1),
                                w.get(2).equals("null") ? null : w.get(2),
                                Long.parseLong(w.get(3)),
                                Deed.valueOf(w.get(4)))));
        for (Phase phase : List.of(Phase.OK, Phase.FAILED, Phase.UNKNOWN)) {
            forEachLine(
                    phase,
                    w -> Objects.requireNonNull(stories.get(w.get(1)), "an end without an intent").promised = phase);
        }
        forEachLine(Phase.START, w -> {
            Story story = stories.get(w.get(1));
            if (story != null) {
                story.starts++;
            }
            claims.computeIfAbsent(w.get(1) + '#' + w.get(4), c -> new HashSet<>(1))
                    .add(w.get(5));
        });
        return stories;
    }

    /** The claims that two nodes have worked under. */
    List<String> sharedClaims() {
        return claims.entrySet().stream()
                .filter(e -> e.getValue().size() > 1)
                .map(Map.Entry::getKey)
                .toList();
    }

    private void forEachLine(Phase phase, LineReader reader) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".journal")).toList()) {
                try (Stream<String> lines = Files.lines(file)) {
                    lines.filter(l -> l.charAt(0) == phase.letter())
                            .forEach(l -> reader.read(List.of(l.split("\t", -1))));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("journals in " + folder, e);
        }
    }

    /** Takes the words of a line. */
    private interface LineReader {
        void read(List<String> words);
    }
}
