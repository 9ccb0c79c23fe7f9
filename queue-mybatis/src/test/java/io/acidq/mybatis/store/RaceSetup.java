package io.acidq.mybatis.store;

import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.Letter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The setup of a race.
 *
 * @param scene     the queue
 * @param message   the message as claimed by a node that is declared dead and may still act
 * @param followers later messages of its ordering key that the node has claimed and not started
 * @param other     the node that claims it next
 */
record RaceSetup(QueueFixture scene, ClaimedMessage message, List<Claim> followers, int other) {

    Claim claim() {
        return message.claim();
    }

    UUID uid() {
        return message.uid();
    }

    boolean isOrdered() {
        return message.orderingKey() != null;
    }

    List<Claim> all() {
        List<Claim> all = new ArrayList<>(List.of(claim()));
        all.addAll(followers);
        return all;
    }

    /** Returns the current dead letters. */
    List<Letter> deadLetters() {
        return scene.letters();
    }

    /** Whether the dead node still holds the claim. */
    boolean isHeld(MessageSnapshot now) {
        return now.location() == MessageSnapshot.Location.HOT
                && now.owner() == claim().owner()
                && now.claimNo() == claim().claimNo();
    }
}
