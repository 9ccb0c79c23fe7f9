package io.acidq.examples.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.devdb.DevDatabase;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Places three orders and waits until they are shipped. */
public final class PlainSpring {

    private static final int ORDERS = 3;

    private PlainSpring() {}

    public static void main(String[] args) throws InterruptedException {
        try (DevDatabase database = DevDatabase.start();
                HikariDataSource pool = pool(database.jdbcUrl(), database.username(), database.password());
                AnnotationConfigApplicationContext context = start(pool)) {
            Orders orders = context.getBean(Orders.class);
            for (int id = 1; id <= ORDERS; id++) {
                orders.place(new Order(id, "tea"));
            }
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            while (shipments(jdbc) < ORDERS) {
                Thread.sleep(20);
            }
            System.out.println("placed " + ORDERS + ", shipped " + shipments(jdbc));
        }
    }

    /** The application over a pool; the context starts and stops the engine. */
    static AnnotationConfigApplicationContext start(DataSource pool) {
        createTables(pool);
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(DataSource.class, () -> pool);
        context.register(AppConfig.class);
        context.refresh();
        return context;
    }

    static void createTables(DataSource pool) {
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        jdbc.execute("CREATE TABLE IF NOT EXISTS orders (id BIGINT PRIMARY KEY, article VARCHAR(100) NOT NULL)");
        jdbc.execute(
                "CREATE TABLE IF NOT EXISTS shipments (id BIGINT AUTO_INCREMENT PRIMARY KEY, order_id BIGINT NOT NULL)");
    }

    static HikariDataSource pool(String url, String username, String password) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(username);
        config.setPassword(password);
        return new HikariDataSource(config);
    }

    private static int shipments(JdbcTemplate jdbc) {
        Integer shipments = jdbc.queryForObject("SELECT COUNT(*) FROM shipments", Integer.class);
        return shipments == null ? 0 : shipments;
    }
}
