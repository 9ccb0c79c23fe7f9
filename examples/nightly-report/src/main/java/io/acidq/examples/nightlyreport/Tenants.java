package io.acidq.examples.nightlyreport;

import io.acidq.Recurring;
import io.acidq.Schedule;
import io.acidq.admin.RecurringMessages;
import java.time.ZoneId;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Opens and closes tenants. Each has a report every night, which is put and removed with the tenant. */
@Service
public class Tenants {

    static final String REPORTS = "report.run";
    private static final String NIGHTLY = "0 30 2 * * *";

    private final JdbcTemplate jdbc;
    private final RecurringMessages recurring;

    Tenants(JdbcTemplate jdbc, RecurringMessages recurring) {
        this.jdbc = jdbc;
        this.recurring = recurring;
    }

    // snippet:put
    /** The report is put in the transaction that adds the tenant: both are there, or none. */
    @Transactional
    public void open(String tenant, ZoneId zone) {
        jdbc.update("INSERT INTO tenants (name, zone) VALUES (?, ?)", tenant, zone.getId());
        recurring.put(Recurring.message(reportOf(tenant), Schedule.cron(NIGHTLY, zone), REPORTS)
                .withPayload(new ReportOrder(tenant))
                .withOrderingKey(tenant));
    }

    @Transactional
    public void close(String tenant) {
        jdbc.update("DELETE FROM tenants WHERE name = ?", tenant);
        recurring.remove(reportOf(tenant));
    }
    // /snippet

    static String reportOf(String tenant) {
        return "report/" + tenant;
    }
}
