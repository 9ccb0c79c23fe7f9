package io.acidq.examples.nightlyreport;

import io.acidq.Delivery;
import io.acidq.Tick;
import io.acidq.spring.QueueListener;
import io.acidq.spring.RecurringMessage;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** Writes the reports. */
@Component
class Reports {

    private final JdbcTemplate jdbc;

    Reports(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    // snippet:listen
    /** Runs for each tenant; the report and the end of the message commit together. */
    @QueueListener(queue = Tenants.REPORTS, concurrency = "2")
    void report(ReportOrder order, Delivery delivery) {
        Tick tick = delivery.tick().orElseThrow();
        jdbc.update(
                "INSERT INTO reports (tenant, night, missed) VALUES (?, ?, ?)",
                order.tenant(),
                tick.at().toString(),
                tick.missed());
    }

    /** One for the whole application. Its payload is the tick. */
    @QueueListener(queue = "report.count", concurrency = "1")
    @RecurringMessage(every = "1s", overlap = "skip")
    void count(Tick tick) {
        jdbc.update(
                "INSERT INTO counts (at, reports) SELECT ?, COUNT(*) FROM reports",
                tick.at().toString());
    }
    // /snippet
}
