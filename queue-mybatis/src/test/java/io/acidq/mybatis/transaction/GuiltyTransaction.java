package io.acidq.mybatis.transaction;

import io.acidq.mybatis.session.MyBatisSessions;

/** Depends on a package that its own may not see. */
class GuiltyTransaction {
    MyBatisSessions upward;
}
