package io.acidq.boot;

import io.acidq.store.Store;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * Creates the tables of stores that the application has made itself, before anything uses them, when they are always to be created: each knows
 * best in which database. The engine checks them at its start, whatever the mode.
 *
 * @param properties bound not before a store is there
 */
record OwnStoreSchemas(ObjectProvider<AcidqProperties> properties) implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof Store store
                && properties.getObject().initializeSchema() == DatabaseInitializationMode.ALWAYS) {
            store.server().createTables();
        }
        return bean;
    }
}
