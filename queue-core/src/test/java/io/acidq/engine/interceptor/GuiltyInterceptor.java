package io.acidq.engine.interceptor;

import io.acidq.engine.maintenance.Cleaner;

/** Sees a package above its own. */
class GuiltyInterceptor {
    Cleaner upward;
}
