package io.acidq.mybatis.store;

import io.acidq.QueueMisuseException;
import io.acidq.admin.PrivilegedAction;
import io.acidq.mybatis.session.StoreTransactions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds out which actions of operators the privileges of the database account do not allow. For each privilege the server explains a statement: it
 * checks the privilege and changes nothing. The answer is exact with roles, patterns of database names and privileges on columns. A reader of SHOW GRANTS
 * would have to evaluate these as the server does.
 */
final class OperatorPrivileges {

    private static final Set<Integer> NOT_GRANTED = Set.of(1142, 1143, 1044);

    private static final Privilege AUDIT = new Privilege("INSERT", "acidq_audit", "reason");
    private static final Privilege AUDIT_COUNTS = new Privilege("UPDATE", "acidq_audit", "detail");
    private static final Privilege REMOVE_DEAD = new Privilege("DELETE", "acidq_dead", "uid");
    private static final Privilege CHANGE_DEAD = new Privilege("UPDATE", "acidq_dead", "size");
    private static final Privilege ADD_MESSAGE = new Privilege("INSERT", "acidq_message", "uid");
    private static final Privilege REMOVE_MESSAGE = new Privilege("DELETE", "acidq_message", "uid");
    private static final Privilege CHANGE_RECURRING = new Privilege("UPDATE", "acidq_recurring", "paused");

    private static final Map<PrivilegedAction, List<Privilege>> NEEDED = new EnumMap<>(Map.of(
            PrivilegedAction.PAUSE, List.of(AUDIT, new Privilege("UPDATE", "acidq_queue", "paused")),
            PrivilegedAction.REPLAY, List.of(AUDIT, AUDIT_COUNTS, REMOVE_DEAD, ADD_MESSAGE),
            PrivilegedAction.EDIT, List.of(AUDIT, REMOVE_DEAD, CHANGE_DEAD, ADD_MESSAGE),
            PrivilegedAction.DISCARD, List.of(AUDIT, AUDIT_COUNTS, REMOVE_DEAD, REMOVE_MESSAGE),
            PrivilegedAction.RELEASE, List.of(AUDIT, CHANGE_DEAD, REMOVE_MESSAGE),
            PrivilegedAction.CANCEL, List.of(AUDIT, REMOVE_MESSAGE, new Privilege("INSERT", "acidq_cancel", "uid")),
            PrivilegedAction.CHANGE_RECURRING, List.of(AUDIT, CHANGE_RECURRING),
            PrivilegedAction.TRIGGER, List.of(AUDIT, CHANGE_RECURRING, ADD_MESSAGE),
            PrivilegedAction.REMOVE_RECURRING, List.of(AUDIT, new Privilege("DELETE", "acidq_recurring", "name")),
            PrivilegedAction.UNSUBSCRIBE, List.of(AUDIT, new Privilege("DELETE", "acidq_subscription", "name"))));

    private final StoreTransactions transactions;
    private final Map<Privilege, Boolean> known = new HashMap<>();

    OperatorPrivileges(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    Map<PrivilegedAction, List<String>> missing() {
        Map<PrivilegedAction, List<String>> missing = new EnumMap<>(PrivilegedAction.class);
        NEEDED.forEach((action, privileges) -> {
            List<String> of = new ArrayList<>();
            for (Privilege privilege : privileges) {
                if (!known.computeIfAbsent(privilege, this::isGranted)) {
                    of.add(privilege.kind() + " on " + privilege.table());
                }
            }
            if (!of.isEmpty()) {
                missing.put(action, List.copyOf(of));
            }
        });
        return missing;
    }

    private boolean isGranted(Privilege privilege) {
        try {
            transactions.runAndRelease("missingPrivileges", t -> {
                ServerMapper mapper = t.mapper(ServerMapper.class);
                return t.hasStatement(ServerMapper.class, "explainInsert")
                        ? switch (privilege.kind()) {
                            case "INSERT" -> mapper.explainInsert(privilege);
                            case "UPDATE" -> mapper.explainUpdate(privilege);
                            default -> mapper.explainDelete(privilege);
                        }
                        : List.of();
            });
            return true;
        } catch (QueueMisuseException e) {
            return !(e.getCause() instanceof SQLException sql) || !NOT_GRANTED.contains(sql.getErrorCode());
        }
    }

    /**
     * A privilege.
     *
     * @param kind   the kind of statement that it permits
     * @param column a column that the statement names
     */
    record Privilege(String kind, String table, String column) {}
}
