package io.acidq.mybatis.schema;

import io.acidq.mybatis.store.MyBatisQueueStore;

/** Depends on a package that its own may not see. */
class GuiltySchema {
    MyBatisQueueStore upward;
}
