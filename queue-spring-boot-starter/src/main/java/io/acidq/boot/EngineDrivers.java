package io.acidq.boot;

import io.acidq.engine.Engine;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.transaction.SpringTransactions;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Looks at the driver's options of every engine's {@code DataSource}, also where the store is the application's own. */
final class EngineDrivers implements SmartInitializingSingleton {

    private final QueueEngines engines;

    EngineDrivers(QueueEngines engines) {
        this.engines = engines;
    }

    @Override
    public void afterSingletonsInstantiated() {
        engines.all().forEach(EngineDrivers::check);
    }

    private static void check(String name, Engine engine) {
        if (engine.parts().store().transactions() instanceof SpringTransactions transactions) {
            DriverOptions.check(transactions.dataSource(), name);
        }
    }
}
