package io.acidq.engine.node;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name that people know this process by. */
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
