package io.acidq.chaos.audit;

/** What must hold. */
public enum Invariant {
    COMMITTED_ENDS_ONCE("what was enqueued and committed has exactly one effect, or is one dead letter"),
    ENDS_AS_ITS_DEED_ASKS("what can succeed has its effect, and only what can not is dead"),
    FAILED_IS_INVISIBLE("of a transaction that failed there is nothing"),
    UNKNOWN_IS_ALL_OR_NOTHING(
            "the message of a transaction of unknown outcome existed if and only if its business row does"),
    ONE_EFFECT("no message has two effects, in any snapshot"),
    NOTHING_FROM_NOWHERE("there is no effect, row or dead letter that nobody has meant"),
    IN_ORDER("the effects of an ordering key are in the order of their enqueues"),
    NOT_EARLY("nothing has run before its due time"),
    DEAD_AFTER_ALL_ATTEMPTS("what fails always is dead after exactly the maximum of attempts"),
    DEAD_AFTER_ALL_DEATHS("what kills its process always is dead after exactly the maximum of deaths"),
    ONE_NODE_PER_CLAIM("no claim was run by two nodes"),
    DRAINED("nothing is left in the queue");

    private final String sentence;

    Invariant(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
