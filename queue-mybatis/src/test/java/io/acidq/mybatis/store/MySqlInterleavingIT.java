package io.acidq.mybatis.store;

import io.acidq.mybatis.store.StoreHome.Driver;
import io.acidq.testservers.ServerKind;

class MySqlInterleavingIT extends InterleavingConformance {

    @Override
    StoreHome openHome() {
        return StoreHome.on(ServerKind.MYSQL, Driver.CONNECTOR_J, "", true);
    }
}
