package io.acidq.chaos.proxy;

import io.acidq.testservers.ServerKind;

class MariaDbPacketProxyIT extends PacketProxyConformance {

    MariaDbPacketProxyIT() {
        super(ServerKind.MARIADB);
    }
}
