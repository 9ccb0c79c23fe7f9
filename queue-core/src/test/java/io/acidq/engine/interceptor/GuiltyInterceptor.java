package io.acidq.engine.interceptor;

import io.acidq.engine.maintenance.Cleaner;

/** Depends on a package that may depend on its own. */
class GuiltyInterceptor {
    Cleaner upward;
}
