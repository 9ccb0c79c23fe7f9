package io.acidq.mybatis.store;

import io.acidq.mybatis.schema.SchemaDatabase;

/** Depends on a package that its own may not see. */
class GuiltyStore {
    SchemaDatabase upward;
}
