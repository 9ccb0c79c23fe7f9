package io.acidq.spring;

import io.acidq.QueueMisuseException;
import java.lang.reflect.Method;

/**
 * A method with {@link QueueListener}.
 *
 * @param beanName   the bean that it belongs to
 * @param type       the bean's class, which says what type variables of the method's class are
 * @param method     the method
 * @param annotation what is written on it
 */
record ListenerMethod(String beanName, Class<?> type, Method method, QueueListener annotation) {

    /** The method and its bean in words for messages. */
    String where() {
        return MethodText.of(method) + " of bean '" + beanName + "'";
    }

    QueueMisuseException misuse(QueueMisuseException why) {
        String text = String.valueOf(why.getMessage());
        boolean sentence = text.startsWith("has ")
                || text.startsWith("is ")
                || text.startsWith("takes ")
                || text.startsWith("returns ")
                || text.startsWith("does ");
        return new QueueMisuseException("@QueueListener on " + where() + (sentence ? " " : ": ") + text, why);
    }
}
