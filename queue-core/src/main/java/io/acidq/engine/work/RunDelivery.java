package io.acidq.engine.work;

import io.acidq.Delivery;
import io.acidq.MessageId;
import io.acidq.codec.Headers;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimedMessage;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The delivery of a claimed message.
 *
 * @param id      its public id
 * @param message the claimed message, read
 * @param headers its headers, decoded
 * @param claims  knows whether the claim still holds
 */
record RunDelivery(MessageId id, ClaimedMessage message, Map<String, String> headers, ClaimStore claims)
        implements Delivery {

    static RunDelivery of(String queue, ClaimedMessage message, ClaimStore claims) {
        return new RunDelivery(idOf(queue, message), message, Headers.decode(message.headers()), claims);
    }

    static MessageId idOf(String queue, ClaimedMessage message) {
        return new MessageId(queue, message.claim().lane(), message.uid());
    }

    @Override
    public Optional<String> key() {
        return Optional.ofNullable(message.key());
    }

    @Override
    public Optional<String> orderingKey() {
        return Optional.ofNullable(message.orderKey());
    }

    @Override
    public int attempt() {
        return message.attempts();
    }

    @Override
    public int deaths() {
        return message.deaths();
    }

    @Override
    public int claimNo() {
        return message.claim().claimNo();
    }

    @Override
    public int node() {
        return message.claim().owner();
    }

    @Override
    public boolean stillMine() {
        return claims.isHeld(message.claim());
    }

    @Override
    public Instant enqueuedAt() {
        return Objects.requireNonNull(message.enqueuedAt(), "a message that was not read");
    }

    @Override
    public Instant dueAt() {
        return Objects.requireNonNull(message.dueAt(), "a message that was not read");
    }
}
