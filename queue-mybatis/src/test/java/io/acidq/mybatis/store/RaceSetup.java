package io.acidq.mybatis.store;

import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.Letter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What two transactions meet on.
 *
 * @param scene     the queue
 * @param message   the message, as a node had it that is buried now and may yet act
 * @param followers what that node has claimed behind it, of the same ordering key, and never started
 * @param other     who claims it the next time
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

    /** The dead letters that are seen now. */
    List<Letter> deadLetters() {
        return new DeadLetterFixture(scene).deadLetters();
    }

    /** Whether it is still claimed as the buried node has it. */
    boolean isHeld(MessageSnapshot now) {
        return now.location() == MessageSnapshot.Location.HOT
                && now.owner() == claim().owner()
                && now.claimNo() == claim().claimNo();
    }
}
