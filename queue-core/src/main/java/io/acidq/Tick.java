package io.acidq;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tick that a recurring message was enqueued for. It is in the headers of the message, see {@link Delivery#tick}, and it is the payload of a
 * recurring message that has no payload of its own.
 *
 * @param name   the name of the recurring message
 * @param at     the instant of the schedule, by the database's clock; for a message that an operator triggered, the time of that
 * @param missed how many earlier ticks were missed and are not enqueued, because the misfire policy combines them with this one
 */
public record Tick(String name, Instant at, int missed) {

    /** The headers in which a message has its tick. */
    static final String NAME = "acidq-recurring";

    static final String AT = "acidq-tick";
    static final String MISSED = "acidq-missed";
    static final Set<String> HEADERS = Set.of(NAME, AT, MISSED);

    /** Returns the headers of a message for this tick, in addition to those given. */
    public Map<String, String> headers(Map<String, String> given) {
        Map<String, String> all = new LinkedHashMap<>(given);
        all.put(NAME, name);
        all.put(AT, at.toString());
        all.remove(MISSED);
        if (missed > 0) {
            all.put(MISSED, String.valueOf(missed));
        }
        return all;
    }

    /** Returns the tick that headers hold; empty for a message that is none of a recurring message. */
    static Optional<Tick> of(Map<String, String> headers) {
        String name = headers.get(NAME);
        String at = headers.get(AT);
        if (name == null || at == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Tick(name, Instant.parse(at), Integer.parseInt(headers.getOrDefault(MISSED, "0"))));
        } catch (DateTimeParseException | NumberFormatException e) {
            return Optional.empty(); // not written by AcidQ
        }
    }
}
