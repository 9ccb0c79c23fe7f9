package io.acidq.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What enqueue does, all of it in the transaction on the calling thread. */
public interface EnqueueStore {

    /**
     * Takes a message key for a message. A key whose window has ended is taken over, but never while its message lives.
     *
     * @return empty when the key is now this message's, else the message that holds it. The transaction stays usable.
     */
    Optional<KeyHolder> takeKey(KeyClaim key);

    /** Gives up a key that this transaction has taken for a message that it could not insert. */
    void releaseKey(KeyClaim key);

    /**
     * Inserts the messages in the order given, all of one queue: those due at once into the hot table, the others among
     * the scheduled.
     */
    void insert(List<MessageRow> messages);

    /**
     * A message that wants a key.
     *
     * @param queue  the queue's number
     * @param key    the message key
     * @param uid    the message
     * @param lane   the message's lane
     * @param due    the message's due time: the window begins there
     * @param window how long an equal key is a duplicate
     */
    record KeyClaim(int queue, String key, UUID uid, int lane, Due due, Duration window) {}

    /**
     * The message that holds a key.
     *
     * @param uid  the message
     * @param lane its lane
     */
    record KeyHolder(UUID uid, int lane) {}
}
