package io.acidq.spring;

import io.acidq.mybatis.MyBatisStore;
import io.acidq.spring.listener.ListenerFactory;
import io.acidq.store.Store;
import javax.sql.DataSource;

/** Breaks the rules of the root package: it sees a part of the module, and a store; and it is public without being API. */
@SuppressWarnings("unused")
public class GuiltyRoot {

    Store store(ListenerFactory listeners, DataSource dataSource) {
        return MyBatisStore.over(dataSource);
    }
}
