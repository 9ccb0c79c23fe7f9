package io.acidq.dashboard.servlet;

import io.acidq.dashboard.Dashboard;
import io.acidq.dashboard.DashboardRequest;
import io.acidq.dashboard.DashboardResponse;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Method;
import java.security.Principal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Serves a dashboard below the path that it is mapped to, such as {@code /acidq/*}. The container or the application authenticates the users: the servlet passes on
 * the principal and its roles. The {@link Dashboard} decides everything.
 */
public final class DashboardServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** The request attribute with the token of Spring Security. */
    private static final String CSRF_ATTRIBUTE = "_csrf";

    private final transient Supplier<Dashboard> dashboard;

    public DashboardServlet(Dashboard dashboard) {
        this(() -> dashboard);
    }

    /** A servlet that exists before its dashboard, as when a container starts before the engines are built. The supplier is asked at each request. */
    public DashboardServlet(Supplier<Dashboard> dashboard) {
        this.dashboard = dashboard;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getPathInfo() == null) { // the URLs in the page are relative to the path with its slash
            String uri = request.getRequestURI();
            write(Dashboard.redirect(uri.substring(uri.lastIndexOf('/') + 1) + "/"), response);
            return;
        }
        write(dashboard.get().handle(requestOf(request)), response);
    }

    private static void write(DashboardResponse answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        response.setContentLength(answer.body().length);
        response.getOutputStream().write(answer.body());
    }

    private static DashboardRequest requestOf(HttpServletRequest request) throws IOException {
        String path = request.getPathInfo();
        String query = request.getQueryString();
        Principal principal = request.getUserPrincipal();
        HttpServletRequest received = received(request);
        return new DashboardRequest(
                received.getProtocol(),
                request.getMethod(),
                path == null || path.isEmpty() ? "" : path.substring(1),
                query == null ? "" : query,
                headers(received),
                received.getRemoteAddr(),
                request.isSecure(),
                principal == null ? null : principal.getName(),
                request::isUserInRole,
                csrf(request.getAttribute(CSRF_ATTRIBUTE)),
                request.getInputStream());
    }

    /**
     * Returns the request as the container has it. A filter such as Spring's ForwardedHeaderFilter hides the headers of a proxy and takes the address of the client
     * from them, and a client can send such headers too.
     */
    private static HttpServletRequest received(HttpServletRequest request) {
        HttpServletRequest received = request;
        while (received instanceof ServletRequestWrapper wrapper
                && wrapper.getRequest() instanceof HttpServletRequest wrapped) {
            received = wrapped;
        }
        return received;
    }

    private static Map<String, List<String>> headers(HttpServletRequest request) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name.toLowerCase(Locale.ROOT), Collections.list(request.getHeaders(name)));
        }
        return headers;
    }

    /** Returns header and token of the attribute of Spring Security, which this module does not depend on; empty if there is none. */
    private static Map<String, String> csrf(Object attribute) {
        if (attribute == null) {
            return Map.of();
        }
        try {
            return Map.of(call(attribute, "getHeaderName"), call(attribute, "getToken"));
        } catch (ReflectiveOperationException e) {
            return Map.of(); // an attribute of another library
        }
    }

    private static String call(Object target, String method) throws ReflectiveOperationException {
        for (Class<?> type : target.getClass().getInterfaces()) { // the class itself may not be public
            try {
                Method found = type.getMethod(method);
                return String.valueOf(found.invoke(target));
            } catch (NoSuchMethodException e) {
                // perhaps another interface has it
            }
        }
        return String.valueOf(target.getClass().getMethod(method).invoke(target));
    }
}
