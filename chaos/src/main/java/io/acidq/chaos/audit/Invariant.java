package io.acidq.chaos.audit;

/** What must hold. */
public enum Invariant {
    COMMITTED_ENDS_ONCE("what was enqueued and committed has exactly one effect, or is one dead letter"),
    ENDS_AS_ITS_DEED_ASKS("what can succeed has its effect, and only what can not is dead"),
    FAILED_IS_INVISIBLE("of a transaction that failed there is nothing, and nothing of it was started"),
    UNKNOWN_IS_ALL_OR_NOTHING(
            "the message of a transaction of unknown outcome existed if and only if its business row does"),
    ONE_EFFECT("no message has two effects, in any snapshot"),
    DONE_IS_GONE("what has its effect neither waits nor is dead"),
    NOTHING_FROM_NOWHERE("there is no start, effect, row, key or dead letter that nobody has meant"),
    CONSERVED("as many messages are done, dead or left as were enqueued"),
    IN_ORDER("the effects of an ordering key are in the order of their enqueues"),
    ONE_AT_A_TIME("the messages of an ordering key run one at a time, the next when the one before has ended for good"),
    NOT_EARLY("nothing was started, had its effect or died before its due time"),
    DEAD_AFTER_ALL_ATTEMPTS("what fails always is dead after exactly the maximum of attempts, unless it was of deaths"),
    DEAD_AFTER_ALL_DEATHS("what kills its process always is dead after exactly the maximum of deaths"),
    DEATHS_ARE_BURIALS("every death that a dead letter counts is that of a node that has ended"),
    ATTEMPTS_ARE_STARTS(
            "every attempt is a start that was not given back, and every retry that was written is an attempt"),
    CLAIMS_RISE("with the claim numbers of a message its attempts and deaths never fall"),
    ONE_NODE_PER_CLAIM("no claim was run by two nodes, nor twice at once by one"),
    ONE_LIVE_CLAIM(
            "no message was started again, here or elsewhere, while a node ran it that had neither been buried by then nor let go of it"),
    EFFECT_OF_A_START("every effect was written under a claim that its node had started"),
    EFFECT_OF_SUCCESS("every effect is of a handler that said it was done, and that had swallowed no deadlock"),
    EFFECT_AS_MEANT(
            "every effect has the ordering key and the number that its producer meant, every dead letter its type and payload too"),
    ENDED_BY_THE_LAST_CLAIM("what ended a message was its last claim: nothing was started under a later one"),
    NOTHING_FROM_THE_DEAD("no effect comes from a node whose death was counted against the message"),
    KEYS_AS_BOOKED("a message key is taken if and only if its transaction committed, and by that message"),
    PLACES_ARE_HELD("every marker holds the place of a dead letter or of parked followers, and the reverse"),
    DRAINED("nothing is left in the queue"),
    NO_CONNECTION_LEFT("when all have stopped nobody is connected"),
    NO_LOCK_LEFT("when all have stopped no row is locked"),
    NO_NODE_LEFT("when all have stopped no node is alive"),
    NO_THREAD_LEFT("an engine that was told to stop does so, and it and its pool leave no thread behind");

    private final String sentence;

    Invariant(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
