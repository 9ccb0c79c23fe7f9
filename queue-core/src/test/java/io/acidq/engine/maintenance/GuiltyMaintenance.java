package io.acidq.engine.maintenance;

import io.acidq.engine.admin.AdminService;

/** Depends on a package that its own may not see. */
class GuiltyMaintenance {
    AdminService upward;
}
