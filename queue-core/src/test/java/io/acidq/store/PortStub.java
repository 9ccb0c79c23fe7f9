package io.acidq.store;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Function;

/** Creates ports that answer only the methods that a test names. */
public final class PortStub {

    private PortStub() {}

    /**
     * Creates a port. A call of any other method fails.
     *
     * @param answers return the results by the name of the method, from its arguments
     */
    public static <T> T of(Class<T> port, Map<String, Function<Object[], Object>> answers) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, args) -> {
            Function<Object[], Object> answer = answers.get(method.getName());
            if (answer == null) {
                throw new UnsupportedOperationException("this test does not expect " + method);
            }
            return answer.apply(args);
        }));
    }
}
