package io.acidq.engine.listener;

import io.acidq.AcidqException;
import io.acidq.MessageId;

/** The fence held: the message is no longer claimed by this run, so its transaction must roll back. */
final class ClaimLostException extends AcidqException {

    private static final long serialVersionUID = 1L;

    ClaimLostException(MessageId id) {
        super("the claim of " + id + " was lost while it ran; the handler's transaction is rolled back");
    }
}
