package io.acidq.chaos.audit;

import io.acidq.chaos.audit.HandlerStart.Counts;
import io.acidq.chaos.audit.MessageHistory.Release;
import io.acidq.chaos.role.HandlerAction;
import io.acidq.chaos.role.Journal;
import io.acidq.chaos.role.Journal.Phase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What the processes have written down, read when they are gone. */
final class Journals {

    private static final List<Phase> ENDS = List.of(Phase.OK, Phase.FAILED, Phase.UNKNOWN);

    private final Path folder;
    private final Map<String, MessageHistory> messageHistories = new HashMap<>();
    private final List<String> strangers = new ArrayList<>();
    private final List<Stop> stops = new ArrayList<>();

    /** Of the process that is being read; a message id stands there after a start only. */
    private final Map<String, MessageHistory> byId = new HashMap<>();

    Journals(Path folder) {
        this.folder = folder;
    }

    /** The stories by key; intents first, since a worker's journal may be read before its producer's. */
    Map<String, MessageHistory> read() {
        List<Path> files = files();
        files.forEach(file -> forEachLine(file, words -> {
            if (is(Phase.INTENT, words)) {
                intent(words);
            }
        }));
        for (int process = 0; process < files.size(); process++) {
            int reading = process;
            byId.clear();
            forEachLine(files.get(process), words -> {
                apply(reading, words);
                if (is(Phase.STOPPED, words)) {
                    stops.add(new Stop(files.get(reading).toString(), true, words.subList(1, words.size())));
                } else if (is(Phase.HUNG, words) && !byId.isEmpty()) { // it has an engine at work
                    stops.add(new Stop(files.get(reading).toString(), false, List.of()));
                }
            });
        }
        return messageHistories;
    }

    /** Starts of what no producer has ever meant, once all is {@link #read}. */
    List<String> strangers() {
        return strangers;
    }

    /** How processes have stopped that were told to, once all is {@link #read}. */
    List<Stop> stops() {
        return stops;
    }

    /**
     * A process was told to close its engine and its pool.
     *
     * @param journal     whose
     * @param ended       whether it has; else it hung, and was killed
     * @param threadsLeft that were still there
     */
    record Stop(String journal, boolean ended, List<String> threadsLeft) {

        boolean isClean() {
            return ended && threadsLeft.isEmpty();
        }
    }

    private void intent(List<String> words) {
        String lane = words.get(2).equals("null") ? null : words.get(2);
        MessageHistory messageHistory = new MessageHistory(
                words.get(1), lane, Long.parseLong(words.get(3)), HandlerAction.valueOf(words.get(4)));
        messageHistories.put(messageHistory.key, messageHistory);
    }

    private void apply(int process, List<String> words) {
        for (Phase end : ENDS) {
            if (is(end, words)) {
                Objects.requireNonNull(messageHistories.get(words.get(1)), "an end without an intent").promised = end;
            }
        }
        if (is(Phase.START, words)) {
            started(process, words);
        } else if (is(Phase.SWALLOWED, words)) {
            swallowed(process, words);
        } else if (is(Phase.RETURNED, words)) {
            returned(process, words);
        } else if (is(Phase.RETRIED, words) || is(Phase.REQUEUED, words)) {
            MessageHistory messageHistory = byId.get(words.get(1));
            if (messageHistory != null) {
                messageHistory.releases.add(
                        new Release(process, is(Phase.RETRIED, words), Long.parseLong(words.get(2))));
            }
        }
    }

    private void started(int process, List<String> words) {
        MessageHistory messageHistory = messageHistories.get(words.get(1));
        if (messageHistory == null) {
            strangers.add("a start of " + words.get(1) + " in process " + process);
        } else {
            Counts counts = new Counts(number(words, 4), number(words, 2), number(words, 3));
            messageHistory.handlerStarts.add(
                    new HandlerStart(process, number(words, 5), counts, Long.parseLong(words.get(7))));
            byId.put(words.get(6), messageHistory);
            messageHistory.uids.add(uid(words.get(6)));
        }
    }

    /** The last part of a message id, as the database has it. */
    private static String uid(String id) {
        return id.substring(id.lastIndexOf('~') + 1).replace("-", "").toUpperCase(Locale.ROOT);
    }

    private void returned(int process, List<String> words) {
        running(process, words).ifPresent(handlerStart -> {
            handlerStart.endedAt = Long.parseLong(words.get(4));
            handlerStart.failed |= !words.get(5).equals(Journal.DONE);
        });
    }

    private void swallowed(int process, List<String> words) {
        Objects.requireNonNull(messageHistories.get(words.get(1)), "a deed without an intent").deadlocks++;
        running(process, words).ifPresent(handlerStart -> handlerStart.failed = true);
    }

    /** The start that has not returned, of this key, claim number and node. */
    private Optional<HandlerStart> running(int process, List<String> words) {
        MessageHistory messageHistory = messageHistories.get(words.get(1));
        return messageHistory == null
                ? Optional.empty()
                : messageHistory.handlerStarts.stream()
                        .filter(s -> s.process == process && s.isOf(number(words, 3), number(words, 2)))
                        .filter(s -> s.endedAt == HandlerStart.NEVER)
                        .findFirst();
    }

    private static int number(List<String> words, int index) {
        return Integer.parseInt(words.get(index));
    }

    private static boolean is(Phase phase, List<String> words) {
        return words.get(0).charAt(0) == phase.code();
    }

    private List<Path> files() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".journal")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("journals in " + folder, e);
        }
    }

    private static void forEachLine(Path file, LineReader reader) {
        try (Stream<String> lines = Files.lines(file)) {
            lines.forEach(line -> reader.read(List.of(line.split("\t", -1))));
        } catch (IOException e) {
            throw new UncheckedIOException("journal " + file, e);
        }
    }

    /** Takes the words of a line. */
    private interface LineReader {
        void read(List<String> words);
    }
}
