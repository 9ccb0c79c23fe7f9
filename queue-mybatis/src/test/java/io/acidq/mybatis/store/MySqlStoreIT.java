package io.acidq.mybatis.store;

import io.acidq.mybatis.store.StoreHome.Driver;
import io.acidq.testservers.ServerKind;
import org.junit.jupiter.api.Nested;

/** MySQL as it is used most. */
class MySqlStoreIT extends RealStoreConformance {

    @Override
    StoreHome openHome() {
        return StoreHome.on(ServerKind.MYSQL, Driver.CONNECTOR_J, "", true);
    }

    @Nested
    class FrozenClaimer extends FrozenClaimerCases {
        @Override
        StoreHome home() {
            return MySqlStoreIT.this.home();
        }
    }
}
