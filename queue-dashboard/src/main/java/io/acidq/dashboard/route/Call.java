package io.acidq.dashboard.route;

import io.acidq.admin.Operator;
import io.acidq.dashboard.access.AccessPolicy;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.access.User;
import io.acidq.dashboard.read.Database;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request whose user has the permission of the route.
 *
 * @param user       the user
 * @param database   the database of the engine that the request names
 * @param parameters the parameters
 * @param policy     the policy of the application
 * @param acceptsCsv whether the user wants a table as CSV
 * @param csrf       the token that the application wants in a header, by the name of the header; empty for none
 */
public record Call(
        User user,
        Database database,
        Parameters parameters,
        AccessPolicy policy,
        boolean acceptsCsv,
        Map<String, String> csrf) {

    /** Whether the user may do something more than the route needs, or with this queue of a list. */
    public boolean may(Permission permission, @Nullable String queue) {
        return user.permissions().contains(permission) && policy.permits(user, permission, database.name(), queue);
    }

    /** Returns who acts, and the reason in the parameter {@code reason}, for the audit log. */
    public Operator operator() {
        String reason = parameters.text("reason");
        return parameters.checked(() -> new Operator(user.name(), reason));
    }

    /** Whether the user may see a queue of a list. */
    public boolean sees(@Nullable String queue) {
        return may(Permission.VIEW, queue);
    }
}
