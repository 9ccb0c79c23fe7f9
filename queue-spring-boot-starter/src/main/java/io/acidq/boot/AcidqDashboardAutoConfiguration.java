package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.boot.DashboardProperties.Roles;
import io.acidq.dashboard.Dashboard;
import io.acidq.dashboard.access.AccessPolicy;
import io.acidq.dashboard.access.PayloadMask;
import io.acidq.dashboard.access.User;
import io.acidq.dashboard.jdk.DashboardHttpServer;
import io.acidq.dashboard.servlet.DashboardServlet;
import io.acidq.engine.Engine;
import io.acidq.spring.QueueEngines;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/**
 * Auto-configuration of the dashboard of all engines, if {@code acidq.dashboard.enabled} is set. A servlet web application serves it below a path, and its own
 * security authenticates the users. With a port of its own, it is served by the HTTP server of the JDK.
 */
@AutoConfiguration(after = AcidqAutoConfiguration.class)
@ConditionalOnProperty(prefix = "acidq.dashboard", name = "enabled")
@ConditionalOnBean(Engine.class)
class AcidqDashboardAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(AcidqDashboardAutoConfiguration.class);

    /** Refuses the start of an application that wants the dashboard and does not have it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("io.acidq.dashboard.Dashboard")
    static class Missing {
        Missing() {
            throw QueueMisuseException.withAction(
                    "acidq.dashboard.enabled is set, and the dashboard is not on the class path",
                    "add the module io.acidq:queue-dashboard, or leave acidq.dashboard.enabled out");
        }
    }

    /** The dashboard. It is built when all beans exist, as the engines are. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Dashboard.class)
    static class Core {

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        Dashboard acidqDashboard(
                QueueEngines engines,
                AcidqProperties properties,
                ObjectProvider<AccessPolicy> policy,
                ObjectProvider<PayloadMask> mask) {
            DashboardProperties settings = properties.dashboard();
            try {
                Dashboard.Builder builder = builder(settings);
                engines.all().forEach(builder::engine);
                policy.ifAvailable(builder::policy);
                mask.ifAvailable(builder::mask);
                return builder.build();
            } catch (IllegalArgumentException e) {
                throw new QueueMisuseException("setting acidq.dashboard: " + e.getMessage(), e);
            }
        }

        private static Dashboard.Builder builder(DashboardProperties settings) {
            Roles roles = settings.roles();
            Dashboard.Builder builder = Dashboard.builder()
                    .unmaskedRoles(array(settings.unmaskedRoles()))
                    .trustedProxies(array(settings.trustedProxies()))
                    .localLevel(level(settings.localLevel()))
                    .origins(array(settings.origins()))
                    .readOnly(settings.readOnly())
                    .connections(settings.connections())
                    .statementTimeout(settings.statementTimeout())
                    .environment(settings.environment());
            if (!roles.isEmpty()) {
                builder.roles(User.Level.VIEWER, array(roles.viewer()))
                        .roles(User.Level.OPERATOR, array(roles.operator()))
                        .roles(User.Level.ADMIN, array(roles.admin()));
            }
            if (settings.userHeader() != null) {
                builder.userHeader(settings.userHeader(), level(settings.userHeaderLevel()));
            }
            Predicate<String> isPath = each -> each.contains(":$.");
            List<String> words =
                    settings.mask().stream().filter(isPath.negate()).toList();
            if (!words.isEmpty()) {
                builder.sensitiveNames(words);
            }
            return builder.maskedPaths(settings.mask().stream().filter(isPath).toList());
        }

        private static String[] array(List<String> texts) {
            return texts.toArray(String[]::new);
        }

        private static User.Level level(DashboardProperties.Level level) {
            return User.Level.valueOf(level.name());
        }
    }

    /** The servlet, unless the dashboard has a port of its own. The web server of the Actuator's own port does not have it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Dashboard.class, Servlet.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnTheApplicationsPort {

        @Bean
        ServletRegistrationBean<DashboardServlet> acidqDashboardServlet(
                ObjectProvider<Dashboard> dashboard, AcidqProperties properties) {
            DashboardProperties settings = properties.dashboard();
            ServletRegistrationBean<DashboardServlet> registration =
                    new ServletRegistrationBean<>(new DashboardServlet(dashboard::getObject), settings.path() + "/*");
            registration.setName("acidqDashboard");
            registration.setEnabled(settings.port() == null);
            return registration;
        }
    }

    /** The checks at the start, and the HTTP server of the JDK if the dashboard has a port of its own. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Dashboard.class)
    static class OnAPortOfItsOwn {

        @Bean
        DashboardLifecycle acidqDashboardLifecycle(
                ObjectProvider<Dashboard> dashboard,
                AcidqProperties properties,
                Environment environment,
                ObjectProvider<OnTheApplicationsPort> servlet) {
            DashboardLifecycle.check(properties.dashboard(), environment, servlet.getIfAvailable() != null);
            return new DashboardLifecycle(dashboard, properties.dashboard(), environment);
        }
    }

    /** Builds the dashboard with the engines, so that a wrong setting fails the start; starts its server after the engines, and stops it before. */
    static final class DashboardLifecycle implements SmartLifecycle, SmartInitializingSingleton {

        private static final int PHASE = Integer.MAX_VALUE - 50;
        private static final String LOCAL_PORT = "local.acidq.dashboard.port";

        private final ObjectProvider<Dashboard> dashboard;
        private final DashboardProperties settings;
        private final Environment environment;
        private volatile @Nullable DashboardHttpServer server;

        DashboardLifecycle(ObjectProvider<Dashboard> dashboard, DashboardProperties settings, Environment environment) {
            this.dashboard = dashboard;
            this.settings = settings;
            this.environment = environment;
        }

        /** Refuses settings that do not fit together, or that leave the dashboard open. */
        static void check(DashboardProperties settings, Environment environment, boolean hasServlets) {
            boolean hasOwnPort = settings.port() != null;
            if (!hasOwnPort && !hasServlets) {
                throw QueueMisuseException.withAction(
                        "acidq.dashboard.enabled is set, and this application has no servlet container that could serve the dashboard",
                        "set acidq.dashboard.port, which needs none, or leave acidq.dashboard.enabled out");
            }
            if (hasOwnPort && !settings.roles().isEmpty()) {
                throw QueueMisuseException.withAction(
                        "acidq.dashboard.roles and acidq.dashboard.port are set, but a port of its own has no users of the application",
                        "leave acidq.dashboard.port out; or set acidq.dashboard.user-header and acidq.dashboard.trusted-proxies instead of"
                                + " the roles, for a proxy that authenticates the users");
            }
            if (!settings.roles().isEmpty() && settings.userHeader() != null) {
                throw QueueMisuseException.withAction(
                        "acidq.dashboard.roles and acidq.dashboard.user-header are set, and only one of them can say who a user is",
                        "leave one of them out");
            }
            if (settings.roles().isEmpty() && !settings.unmaskedRoles().isEmpty()) {
                throw QueueMisuseException.withAction(
                        "acidq.dashboard.unmasked-roles is set, and no role may see the dashboard",
                        "set acidq.dashboard.roles.viewer, .operator or .admin too");
            }
            if (settings.isLocal()) {
                checkLocal(settings, environment);
            }
        }

        /** A port of its own sees the address of its peer. The server of the application may take it from a header, and then anybody is local. */
        private static void checkLocal(DashboardProperties settings, Environment environment) {
            String problem = settings.port() != null
                    ? settings.address().isLoopbackAddress()
                            ? null
                            : "acidq.dashboard.address is " + settings.address().getHostAddress()
                    : forwarding(environment);
            if (problem != null) {
                throw QueueMisuseException.withAction(
                        "acidq.dashboard.enabled is set without roles, so that the dashboard must answer requests of this machine only, but "
                                + problem,
                        (settings.port() != null
                                        ? "leave acidq.dashboard.address out"
                                        : "set acidq.dashboard.roles.viewer, .operator and .admin to roles of the application's users")
                                + "; or, behind a proxy that authenticates, set acidq.dashboard.user-header and acidq.dashboard.trusted-proxies");
            }
        }

        private static @Nullable String forwarding(Environment environment) {
            String strategy = environment.getProperty("server.forward-headers-strategy");
            if (strategy != null && !strategy.equalsIgnoreCase("none")) {
                return "server.forward-headers-strategy is " + strategy
                        + ", so that a header of a request says where it comes from";
            }
            for (String property :
                    List.of("server.tomcat.remoteip.remote-ip-header", "server.tomcat.remoteip.protocol-header")) {
                String header = environment.getProperty(property);
                if (header != null && !header.isBlank()) {
                    return property + " is " + header + ", so that a header of a request says where it comes from";
                }
            }
            CloudPlatform platform = CloudPlatform.getActive(environment);
            return platform == null ? null : "it runs on " + platform + ", where a proxy passes requests on";
        }

        @Override
        public void afterSingletonsInstantiated() {
            dashboard.getObject();
        }

        @Override
        public void start() {
            Integer port = settings.port();
            if (port == null) {
                LOG.info("The dashboard of AcidQ is at {}/, for {}", settings.path(), users());
                return;
            }
            InetSocketAddress address = new InetSocketAddress(settings.address(), port);
            try {
                DashboardHttpServer started =
                        DashboardHttpServer.start(dashboard.getObject(), address, settings.path());
                server = started;
                tellPort(started.address().getPort());
                LOG.info(
                        "The dashboard of AcidQ is at http://{}:{}{}/, for {}",
                        settings.address().getHostAddress(),
                        started.address().getPort(),
                        settings.path(),
                        users());
            } catch (IOException e) {
                throw new QueueMisuseException(
                        "the dashboard cannot listen on " + settings.address().getHostAddress() + ":" + port + " ("
                                + e.getMessage()
                                + "): set acidq.dashboard.port to a free port, and acidq.dashboard.address to an address of this machine",
                        e);
            }
        }

        private String users() {
            Roles roles = settings.roles();
            return settings.isLocal()
                    ? "requests of this machine"
                    : settings.userHeader() != null
                            ? "users of the header " + settings.userHeader()
                            : "the roles "
                                    + Stream.of(roles.viewer(), roles.operator(), roles.admin())
                                            .flatMap(List::stream)
                                            .distinct()
                                            .toList();
        }

        /** Sets a property as Boot does for its web server, for tests and for those who print the address. */
        private void tellPort(int port) {
            if (environment instanceof ConfigurableEnvironment configurable) {
                configurable
                        .getPropertySources()
                        .addFirst(new MapPropertySource("acidqDashboardPort", Map.of(LOCAL_PORT, port)));
            }
        }

        @Override
        public void stop() {
            DashboardHttpServer started = server;
            server = null;
            if (started != null) {
                started.close();
            }
        }

        @Override
        public boolean isRunning() {
            return server != null;
        }

        @Override
        public int getPhase() {
            return PHASE;
        }
    }
}
