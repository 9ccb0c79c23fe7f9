package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.DeadLetter;
import io.acidq.store.ClaimedMessage;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

abstract class DeadLetterCases extends Cases {

    @Test
    void listsTheOldestOfTheQueueFirst() {
        die("a");
        die("b");
        die("c");

        List<DeadLetter> oldest = store.dead().list(scene.queue, 2);
        assertThat(oldest).extracting(d -> new String(d.payload())).containsExactly("a", "b");
        assertThat(oldest.get(0).id().queue()).isEqualTo(scene.queue.name());
        assertThat(store.dead().list(new Scene(home()).queue, 10)).isEmpty();
    }

    @Test
    void replaysAtTheTailWithAttemptsAndDeathsCountedAnew() {
        ClaimedMessage dead = die("a");
        scene.execute("UPDATE acidq_dead SET deaths = 2 WHERE queue = ?", scene.queue.id());
        scene.enqueue(0, "k", "enqueued since");

        assertThat(store.dead().replayIfDead(dead.uid())).isTrue();
        assertThat(store.dead().replayIfDead(dead.uid())).isFalse();

        List<ClaimedMessage> messages = scene.claim(0, 10).messages();
        assertThat(messages.stream().map(m -> new String(m.payload()))).containsExactly("enqueued since", "a");
        ClaimedMessage replayed = messages.get(1);
        assertThat(replayed.uid()).isEqualTo(dead.uid());
        assertThat(replayed.attempts()).isEqualTo(1);
        assertThat(replayed.deaths()).isZero();
        assertThat(replayed.claim().claimNo()).isEqualTo(dead.claim().claimNo() + 1);
        assertThat(replayed.enqueuedAt()).isEqualTo(dead.enqueuedAt());
    }

    @Test
    void replaysOnceWhenManyAskAtOnce() {
        UUID uid = die("a").uid();

        List<CompletableFuture<Boolean>> askers = IntStream.range(0, 4)
                .mapToObj(i -> Scene.aside(() -> store.dead().replayIfDead(uid)))
                .toList();

        assertThat(askers.stream().map(Scene::join).filter(won -> won)).hasSize(1);
        assertThat(scene.count("acidq_message")).isEqualTo(1);
    }

    @Test
    void discardsForGood() {
        UUID uid = die("a").uid();

        assertThat(store.dead().discardIfDead(uid)).isTrue();
        assertThat(store.dead().discardIfDead(uid)).isFalse();
        assertThat(store.dead().replayIfDead(uid)).isFalse();
        assertThat(scene.count("acidq_dead") + scene.count("acidq_message")).isZero();
    }

    private ClaimedMessage die(String text) {
        scene.enqueue(0, "k", text);
        ClaimedMessage message = scene.claimOne(0);
        claims.deadIfClaimed(message.claim(), "mark of " + text);
        return message;
    }
}
