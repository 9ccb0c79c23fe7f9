package io.acidq.chaos.audit;

/** A statement that must hold for every chaos run. */
public enum Invariant {
    COMMITTED_ENDS_ONCE(
            "each message of a committed transaction has exactly one effect, or is one dead letter, or was removed because it"
                    + " expired, was cancelled or was withdrawn"),
    ENDS_AS_ITS_ACTION_ASKS(
            "a message that can succeed has its effect, and only one that cannot, or has no start left before its expiry, is"
                    + " a dead letter"),
    FAILED_IS_INVISIBLE("a transaction that failed leaves no message, and none of its messages was started"),
    UNKNOWN_IS_ALL_OR_NOTHING(
            "after an unknown commit outcome, the message exists if and only if its business row exists"),
    RECEIPT_IS_RIGHT(
            "after an unknown commit outcome, a receipt answers YES if and only if the business row exists, and NO otherwise"),
    RESULT_OF_THE_EFFECT(
            "the receipt of a message says done with the result of the run whose effect is there, dead if there is a dead letter,"
                    + " or why it was removed"),
    ONE_EFFECT("no message has two effects, in any snapshot"),
    DONE_IS_GONE("a message that has its effect is neither waiting nor dead"),
    NOTHING_FROM_NOWHERE("every start, effect, row, key and dead letter belongs to a message that a producer sent"),
    CONSERVED("the numbers of messages done, dead, removed and left add up to the number enqueued"),
    IN_ORDER("the effects of an ordering key are in the order of the enqueues"),
    ONE_AT_A_TIME(
            "the messages of an ordering key run one at a time; the next starts after the previous one has ended for"
                    + " good"),
    ALL_SUBSCRIPTIONS_OR_NONE("a published message ends once in each subscription of its topic, or exists in none"),
    NOT_EARLY("no message was started, had its effect or was dead-lettered before its due time"),
    NOT_AFTER_EXPIRY("no message was started after its expiry"),
    CANCELLED_STAYS(
            "a message that was withdrawn was never started, a cancelled one is gone and was not started again, and one"
                    + " whose cancel was requested has its effect or is gone, and was not retried"),
    DEAD_AFTER_ALL_ATTEMPTS(
            "a message that always fails is dead after exactly the maximum of attempts, unless crashes or its expiry ended"
                    + " it"),
    DEAD_AFTER_ALL_CRASHES("a message that always kills its process is dead after exactly the maximum of crashes"),
    CRASHES_ARE_OF_ENDED_NODES("every crash that a dead letter counts is that of a node that has ended"),
    ATTEMPTS_ARE_STARTS("every attempt is a start that was not requeued, and every recorded retry is an attempt"),
    CLAIMS_RISE("as the claim number of a message rises, its attempts and crashes never fall"),
    ONE_NODE_PER_CLAIM("no claim was run by two nodes, or twice at once by one node"),
    ONE_LIVE_CLAIM("no message was started again while a node still ran it, unless that node was declared dead or had"
            + " released the message"),
    EFFECT_OF_A_START("every effect was written under a claim that its node had started"),
    EFFECT_OF_SUCCESS("every effect comes from a handler that reported success and had swallowed no deadlock"),
    EFFECT_AS_MEANT(
            "every effect has the ordering key and the number that its producer sent; every dead letter also has the"
                    + " type and the payload"),
    ENDED_BY_THE_LAST_CLAIM("the last claim of a message ended it: no start has a later claim"),
    NOTHING_FROM_THE_DEAD("no effect comes from a node whose crash was counted against the message"),
    KEYS_AS_BOOKED(
            "a message key is taken if and only if its transaction committed and it was not withdrawn, and by that message"),
    PLACES_ARE_HELD(
            "every marker holds the place of a dead letter or of parked followers, and each of these has its marker"),
    ONE_MESSAGE_PER_TICK("each tick of a recurring message has exactly one message, which ran once"),
    NO_TICK_EARLY("no tick of a recurring message was enqueued, and no message of one ran, before its time"),
    HISTORY_NEVER_ABOVE("the history counts no more messages as done or as enqueued than there were"),
    DRAINED("nothing is left in the queue"),
    NO_CONNECTION_LEFT("no connection is open after all processes have stopped"),
    NO_LOCK_LEFT("no row is locked after all processes have stopped"),
    NO_NODE_LEFT("no node is alive after all processes have stopped"),
    NO_THREAD_LEFT("an engine that is told to stop does so, and no thread of it or of its pool is left");

    private final String sentence;

    Invariant(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
