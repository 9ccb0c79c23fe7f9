package io.acidq.engine.node;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What people call the process that this runs in. */
public final class ThisProcess {

    private ThisProcess() {}

    public static String name() {
        return ProcessHandle.current().pid() + "@" + hostName();
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }
}
