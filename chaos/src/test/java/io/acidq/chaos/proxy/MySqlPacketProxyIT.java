package io.acidq.chaos.proxy;

import io.acidq.testservers.ServerKind;

class MySqlPacketProxyIT extends PacketProxyConformance {

    MySqlPacketProxyIT() {
        super(ServerKind.MYSQL);
    }
}
