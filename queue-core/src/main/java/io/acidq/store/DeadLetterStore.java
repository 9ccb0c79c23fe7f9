package io.acidq.store;

import io.acidq.DeadLetter;
import io.acidq.store.QueueStore.QueueRow;
import java.util.List;
import java.util.UUID;

/** Dead letters. Each change is a short transaction of its own. */
public interface DeadLetterStore {

    /** The oldest dead letters of a queue. */
    List<DeadLetter> list(QueueRow queue, int limit);

    /** Moves a dead letter to the tail of its lane, attempts and deaths counted anew, its claim number kept. */
    boolean replayIfDead(UUID uid);

    /** Deletes a dead letter. */
    boolean discardIfDead(UUID uid);
}
