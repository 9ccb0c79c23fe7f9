package io.acidq.mybatis.store;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.Vendor;

/** Whether the server takes a statement of this size. Some drivers send the beginning of one that it does not, and lose the transaction. */
final class PacketSize {

    /** What every server takes; a smaller payload is not looked at. */
    static final int MAX_UNCHECKED_BYTES = 1 << 19;

    /** The rest of the statement, with keys and names. */
    private static final int STATEMENT_OVERHEAD = 8 * 1024;

    private PacketSize() {}

    /** Whether to look at it. */
    static boolean isLarge(byte[] payload) {
        return payload.length > MAX_UNCHECKED_BYTES;
    }

    /**
     * Throws when it does not.
     *
     * @param vendor on MySQL each byte is sent as two hexadecimal digits, by Connector/J as by AcidQ
     */
    static void check(EnqueueMapper mapper, Vendor vendor, byte[] payload, String headers) {
        if (!isLarge(payload)) {
            return;
        }
        long limit = mapper.maxAllowedPacket();
        int more = vendor == Vendor.MYSQL ? payload.length : escapes(payload);
        long needed = (long) payload.length + more + 2L * headers.length() + STATEMENT_OVERHEAD;
        if (needed > limit) {
            throw new QueueMisuseException(
                    "a payload of " + payload.length + " bytes takes a statement of about " + needed
                            + ", and the server's max_allowed_packet is " + limit
                            + ": store it elsewhere and enqueue a reference, or raise max_allowed_packet");
        }
    }

    /** Bytes that are sent as two. */
    private static int escapes(byte[] payload) {
        int escapes = 0;
        for (byte b : payload) {
            if (b == 0 || b == '\n' || b == '\r' || b == 26 || b == '"' || b == '\'' || b == '\\') {
                escapes++;
            }
        }
        return escapes;
    }
}
