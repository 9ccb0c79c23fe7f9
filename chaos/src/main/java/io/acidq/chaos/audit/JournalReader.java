package io.acidq.chaos.audit;

import io.acidq.chaos.audit.MessageHistory.CancelRequest;
import io.acidq.chaos.audit.MessageHistory.HandlerStart;
import io.acidq.chaos.audit.MessageHistory.HandlerStart.Counts;
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

/** Reads the journals of all processes after they have ended. */
final class JournalReader {

    private static final List<Phase> ENDS = List.of(Phase.OK, Phase.FAILED, Phase.UNKNOWN);

    private final Path folder;
    private final Map<String, MessageHistory> histories = new HashMap<>();
    private final List<String> unknownStarts = new ArrayList<>();
    private final List<Stop> stops = new ArrayList<>();

    /** The histories of the process that is being read, by message id. Only starts contain both key and id. */
    private final Map<String, MessageHistory> byId = new HashMap<>();

    JournalReader(Path folder) {
        this.folder = folder;
    }

    /** The histories by key. Reads all intents first, because a worker's journal may come before its producer's. */
    Map<String, MessageHistory> read() {
        List<Path> files = files();
        files.forEach(file -> forEachLine(file, words -> {
            if (is(Phase.INTENT, words)) {
                addSentMessage(words);
            }
        }));
        for (int process = 0; process < files.size(); process++) {
            int current = process;
            byId.clear();
            forEachLine(files.get(process), words -> {
                applyLine(current, words);
                if (is(Phase.STOPPED, words)) {
                    stops.add(new Stop(files.get(current).toString(), true, words.subList(1, words.size())));
                } else if (is(Phase.HUNG, words) && !byId.isEmpty()) { // a worker
                    stops.add(new Stop(files.get(current).toString(), false, List.of()));
                }
            });
        }
        return histories;
    }

    /** Starts of messages that no producer has sent. Valid after {@link #read}. */
    List<String> unknownStarts() {
        return unknownStarts;
    }

    /** The stops of processes that were asked to stop. Valid after {@link #read}. */
    List<Stop> stops() {
        return stops;
    }

    /**
     * A process that was asked to close its engine and its pool.
     *
     * @param ended       false if it hung and was killed
     * @param threadsLeft names of threads that were still alive
     */
    record Stop(String journal, boolean ended, List<String> threadsLeft) {

        boolean isClean() {
            return ended && threadsLeft.isEmpty();
        }
    }

    private void addSentMessage(List<String> words) {
        String lane = words.get(2).equals("null") ? null : words.get(2);
        MessageHistory history = new MessageHistory(
                words.get(1), lane, Long.parseLong(words.get(3)), HandlerAction.valueOf(words.get(4)));
        history.tracked = words.size() > 5 && Boolean.parseBoolean(words.get(5));
        history.expiresIn = words.size() > 6 ? Long.parseLong(words.get(6)) : 0;
        histories.put(history.key, history);
    }

    private void applyLine(int process, List<String> words) {
        for (Phase end : ENDS) {
            if (is(end, words)) {
                sent(words).sendResult = end;
            }
        }
        if (is(Phase.ANSWERED, words)) {
            sent(words).answer = words.get(2);
        } else if (is(Phase.CANCELLING, words)) {
            sent(words).cancelRequests.add(new CancelRequest());
        } else if (is(Phase.CANCELLED, words)) {
            List<CancelRequest> requests = sent(words).cancelRequests;
            CancelRequest last = requests.get(requests.size() - 1);
            last.answer = words.get(2);
            last.answeredAt = Long.parseLong(words.get(3));
        } else if (is(Phase.START, words)) {
            addStart(process, words);
        } else if (is(Phase.SWALLOWED, words)) {
            addSwallowedDeadlock(process, words);
        } else if (is(Phase.RETURNED, words)) {
            endStart(process, words);
        } else if (is(Phase.RETRIED, words) || is(Phase.REQUEUED, words)) {
            MessageHistory history = byId.get(words.get(1));
            if (history != null) {
                history.releases.add(new Release(process, is(Phase.RETRIED, words), Long.parseLong(words.get(2))));
            }
        }
    }

    private MessageHistory sent(List<String> words) {
        return Objects.requireNonNull(
                histories.get(words.get(1)), () -> "the line " + words + " without an INTENT line before it");
    }

    private void addStart(int process, List<String> words) {
        MessageHistory history = histories.get(words.get(1));
        if (history == null) {
            unknownStarts.add("a start of " + words.get(1) + " in process " + process);
        } else {
            Counts counts = new Counts(number(words, 4), number(words, 2), number(words, 3));
            history.starts.add(new HandlerStart(process, number(words, 5), counts, Long.parseLong(words.get(7))));
            byId.put(words.get(6), history);
            history.uids.add(uid(words.get(6)));
        }
    }

    /** The last part of a message id, in the database's notation. */
    private static String uid(String id) {
        return id.substring(id.lastIndexOf('~') + 1).replace("-", "").toUpperCase(Locale.ROOT);
    }

    private void endStart(int process, List<String> words) {
        unfinishedStart(process, words).ifPresent(start -> {
            start.endedAt = Long.parseLong(words.get(4));
            start.failed |= !words.get(5).equals(Journal.DONE);
        });
    }

    private void addSwallowedDeadlock(int process, List<String> words) {
        sent(words).deadlocks++;
        unfinishedStart(process, words).ifPresent(start -> start.failed = true);
    }

    /** The start of this key, claim number and node that has not returned. */
    private Optional<HandlerStart> unfinishedStart(int process, List<String> words) {
        MessageHistory history = histories.get(words.get(1));
        return history == null
                ? Optional.empty()
                : history.starts.stream()
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
            throw new UncheckedIOException("cannot list the journals in " + folder, e);
        }
    }

    private static void forEachLine(Path file, LineReader reader) {
        try (Stream<String> lines = Files.lines(file)) {
            lines.forEach(line -> reader.read(List.of(line.split("\t", -1))));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the journal " + file, e);
        }
    }

    /** Reads the words of a line. */
    private interface LineReader {
        void read(List<String> words);
    }
}
