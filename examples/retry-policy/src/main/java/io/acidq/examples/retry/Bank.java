package io.acidq.examples.retry;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Component;

/** An external bank. Its answers for an account can be set in advance; it agrees to everything else. */
@Component
class Bank {

    /** The answers of the bank. */
    enum Answer {
        AGREED,
        DOWN,
        OVERLOADED,
        REFUSED,
        CLOSED_ACCOUNT,
        CLOSED_FOR_NOW,
        PAID_ALREADY
    }

    static class DownException extends RuntimeException {}

    /** It asks not to be called for a while. */
    static class OverloadedException extends RuntimeException {}

    /** For good: asking again would not help. */
    static class RefusedException extends RuntimeException {
        RefusedException(String account) {
            super("account " + account + " is not covered");
        }
    }

    /** Nobody needs this money any more. */
    static class ClosedAccountException extends RuntimeException {}

    static final Duration OPENS_IN = Duration.ofMillis(200);

    private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    void willAnswer(String account, Answer... next) {
        answers.put(account, new ArrayDeque<>(List.of(next)));
    }

    int calls(String account) {
        AtomicInteger count = calls.get(account);
        return count == null ? 0 : count.get();
    }

    Answer collect(String account) {
        calls.computeIfAbsent(account, a -> new AtomicInteger()).incrementAndGet();
        Deque<Answer> prepared = answers.getOrDefault(account, new ArrayDeque<>());
        Answer answer = prepared.isEmpty() ? Answer.AGREED : prepared.removeFirst();
        return switch (answer) {
            case DOWN -> throw new DownException();
            case OVERLOADED -> throw new OverloadedException();
            case REFUSED -> throw new RefusedException(account);
            case CLOSED_ACCOUNT -> throw new ClosedAccountException();
            default -> answer;
        };
    }
}
