package io.acidq.telemetry;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes each event to several telemetries; an exception of one of them affects neither the others nor the engine. A JDK proxy, so that no event can be
 * forgotten here. A native image needs a proxy hint for {@link Telemetry}.
 */
public final class SafeTelemetry implements InvocationHandler {

    private static final Logger log = LoggerFactory.getLogger(SafeTelemetry.class);

    private final Telemetry[] all;

    private SafeTelemetry(List<Telemetry> all) {
        this.all = all.toArray(Telemetry[]::new);
    }

    /** Returns a telemetry that calls these in this order. */
    public static Telemetry of(List<Telemetry> all) {
        return (Telemetry) Proxy.newProxyInstance(
                Telemetry.class.getClassLoader(), new Class<?>[] {Telemetry.class}, new SafeTelemetry(all));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) { // equals, hashCode and toString
            return method.getName().equals("equals") && arguments != null
                    ? proxy == arguments[0]
                    : method.invoke(this, arguments);
        }
        for (Telemetry one : all) {
            try {
                method.invoke(one, arguments);
            } catch (Throwable e) { // also an Error: it would end the thread of a task or a worker
                Throwable thrown = e instanceof InvocationTargetException wrapped ? wrapped.getTargetException() : e;
                log.warn(
                        "telemetry {} threw an exception; the event is lost for it and the engine continues",
                        one.getClass().getName(),
                        thrown);
            }
        }
        return null;
    }
}
