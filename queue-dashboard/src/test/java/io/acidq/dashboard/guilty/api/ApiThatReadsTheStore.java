package io.acidq.dashboard.guilty.api;

import com.sun.net.httpserver.HttpExchange;
import io.acidq.dashboard.Dashboard;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Store;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import tools.jackson.databind.json.JsonMapper;

/** Reads past the operators' API, knows the servers and the dashboard, binds JSON to objects, and asks the clock of the machine. */
final class ApiThatReadsTheStore {

    Store store = MyBatisStore.over(null);
    Dashboard dashboard;
    HttpServletRequest request;
    HttpExchange exchange;
    JsonMapper mapper;
    Instant now = Instant.now();
}
