package io.acidq.engine.listener;

import io.acidq.AcidqException;
import io.acidq.MessageId;

/**
 * The exception that rolls back the transaction of a run whose claim no longer holds: the fence has rejected its
 * acknowledgement.
 */
final class ClaimLostException extends AcidqException {

    private static final long serialVersionUID = 1L;

    ClaimLostException(MessageId id) {
        super("the claim of " + id + " was lost while it ran; the handler's transaction is rolled back");
    }
}
