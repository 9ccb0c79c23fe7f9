package io.acidq.dashboard;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import io.acidq.dashboard.jdk.DashboardHttpServer;
import io.acidq.dashboard.servlet.DashboardServlet;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.Principal;
import java.util.Map;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/**
 * A server on this machine with a dashboard below {@code /acidq}. It believes the header {@code x-test-user}, as an application's own authentication
 * would have checked it.
 */
interface WebServer extends AutoCloseable {

    String USER_HEADER = "x-test-user";
    Map<String, Set<String>> ROLES = Map.of("ann", Set.of("admin"), "vic", Set.of("view"));

    int port();

    @Override
    void close();

    static boolean hasRole(String user, String role) {
        return ROLES.getOrDefault(user, Set.of()).contains(role);
    }

    /** The servers. */
    enum Kind {
        JDK {
            @Override
            WebServer start(Dashboard dashboard, Path folder) throws IOException {
                Authenticator authenticator = new Authenticator() {
                    @Override
                    public Result authenticate(HttpExchange exchange) {
                        String user = exchange.getRequestHeaders().getFirst(USER_HEADER);
                        return new Success(user == null ? null : new HttpPrincipal(user, "test"));
                    }
                };
                DashboardHttpServer server = DashboardHttpServer.start(
                        dashboard,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        "/acidq",
                        null,
                        authenticator,
                        WebServer::hasRole);
                return new WebServer() {
                    @Override
                    public int port() {
                        return server.address().getPort();
                    }

                    @Override
                    public void close() {
                        server.close();
                    }
                };
            }
        },
        TOMCAT {
            @Override
            WebServer start(Dashboard dashboard, Path folder) {
                Tomcat tomcat = new Tomcat();
                tomcat.setBaseDir(folder.toString());
                Connector connector = new Connector();
                connector.setPort(0);
                connector.setProperty("address", "127.0.0.1");
                tomcat.setConnector(connector);
                Context context = tomcat.addContext("", folder.toString());
                Tomcat.addServlet(context, "acidq", new DashboardServlet(dashboard));
                context.addServletMappingDecoded("/acidq/*", "acidq");
                FilterDef filter = new FilterDef();
                filter.setFilterName("users");
                filter.setFilter(new Users());
                context.addFilterDef(filter);
                FilterMap everything = new FilterMap();
                everything.setFilterName("users");
                everything.addURLPattern("/*");
                context.addFilterMap(everything);
                try {
                    tomcat.start();
                } catch (LifecycleException e) {
                    throw new IllegalStateException(e);
                }
                return new WebServer() {
                    @Override
                    public int port() {
                        return connector.getLocalPort();
                    }

                    @Override
                    public void close() {
                        try {
                            tomcat.stop();
                            tomcat.destroy();
                        } catch (LifecycleException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                };
            }
        };

        abstract WebServer start(Dashboard dashboard, Path folder) throws IOException;
    }

    /** Authenticates as a filter of an application does, and has a token as that of Spring Security. */
    final class Users extends HttpFilter {

        private static final long serialVersionUID = 1L;

        /** As {@code org.springframework.security.web.csrf.CsrfToken}. */
        public interface CsrfToken {
            String getHeaderName();

            String getToken();
        }

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            request.setAttribute("_csrf", new CsrfToken() {
                @Override
                public String getHeaderName() {
                    return "X-CSRF-TOKEN";
                }

                @Override
                public String getToken() {
                    return "t0k3n";
                }
            });
            String user = request.getHeader(USER_HEADER);
            chain.doFilter(
                    new HttpServletRequestWrapper(request) {
                        @Override
                        public Principal getUserPrincipal() {
                            return user == null ? null : () -> user;
                        }

                        @Override
                        public boolean isUserInRole(String role) {
                            return hasRole(user, role);
                        }
                    },
                    response);
        }
    }
}
