package io.acidq.dashboard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A range of addresses, such as {@code 10.0.0.0/8} or {@code ::1}. Names are never looked up. */
record AddressRange(InetAddress network, int bits) {

    private static final Pattern LITERAL = Pattern.compile("[0-9A-Fa-f.:]+(%[\\w.-]+)?");

    static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        InetAddress network = address(slash < 0 ? text : text.substring(0, slash));
        if (network != null) {
            int max = network.getAddress().length * 8;
            try {
                int bits = slash < 0 ? max : Integer.parseInt(text.substring(slash + 1));
                if (bits >= 0 && bits <= max) {
                    return new AddressRange(network, bits);
                }
            } catch (NumberFormatException e) {
                // refused below
            }
        }
        throw new IllegalArgumentException(
                "not a range of addresses: '" + text + "'; expected 10.0.0.0/8, 192.168.1.7 or fd00::/8");
    }

    /** Returns the address of a text of digits; null if it is a name or nothing. */
    static @Nullable InetAddress address(String text) {
        if (!LITERAL.matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            return null;
        }
    }

    boolean contains(String address) {
        InetAddress other = address(address);
        if (other == null || other.getAddress().length != network.getAddress().length) {
            return false;
        }
        byte[] mine = network.getAddress();
        byte[] theirs = other.getAddress();
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit % 8);
            if ((mine[bit / 8] & mask) != (theirs[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }
}
