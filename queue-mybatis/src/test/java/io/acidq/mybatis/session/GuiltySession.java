package io.acidq.mybatis.session;

import io.acidq.mybatis.Schema;

/** Depends on a package that its own may not see. */
class GuiltySession {
    Schema upward;
}
