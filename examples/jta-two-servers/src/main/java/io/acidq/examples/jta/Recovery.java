package io.acidq.examples.jta;

import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.recovery.XAResourceRecoveryHelper;
import com.mysql.cj.jdbc.MysqlXADataSource;
import java.sql.SQLException;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/** Lets Narayana ask one server for its prepared branches, on a connection of its own. Called by the thread of its recovery. */
// snippet:helper
final class Recovery implements XAResourceRecoveryHelper {

    private final MysqlXADataSource source = new MysqlXADataSource();
    private @Nullable XAConnection connection;

    private Recovery(Server server) {
        source.setUrl(server.url());
        source.setUser(server.user());
        source.setPassword(server.password());
    }

    /** Has the branches of these servers looked for from now on. */
    static void of(RecoveryManager manager, Server... servers) {
        for (Object module : manager.getModules()) {
            if (module instanceof XARecoveryModule recovery) {
                for (Server server : servers) {
                    recovery.addXAResourceRecoveryHelper(new Recovery(server));
                }
            }
        }
    }

    @Override
    public boolean initialise(String unused) {
        return true;
    }

    /** Returns the last resource as long as its server answers, because a pass uses what the previous one has got; otherwise a new one. */
    @Override
    public XAResource[] getXAResources() throws SQLException {
        XAConnection known = connection;
        if (known == null || !answers(known)) {
            known = source.getXAConnection();
            connection = known;
        }
        return new XAResource[] {known.getXAResource()};
    }

    private static boolean answers(XAConnection connection) throws SQLException {
        try {
            connection.getXAResource().recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
            return true;
        } catch (XAException lost) {
            return false;
        }
    }
}
// /snippet
