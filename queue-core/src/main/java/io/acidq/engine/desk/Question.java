package io.acidq.engine.desk;

import io.acidq.MessageId;
import io.acidq.Why;
import io.acidq.Why.Facts;
import io.acidq.WhyReason;
import io.acidq.engine.work.QueueRun;
import io.acidq.store.Claim;
import io.acidq.store.Lane;
import io.acidq.store.WhyStore.Place;
import org.jspecify.annotations.Nullable;

/**
 * Why a message does not run, and what is known of it at first.
 *
 * @param place its row
 * @param here  what runs of its queue in the engine that was asked
 */
record Question(
        MessageId id, Lane lane, Place place, @Nullable QueueRun here) {

    Why because(WhyReason reason, String text, Facts facts) {
        return new Why(id, reason, text, facts);
    }

    /** The claim that holds it. */
    Claim claim() {
        return new Claim(lane.queue(), lane.lane(), place.id(), place.uid(), place.owner(), place.claimNo());
    }
}
