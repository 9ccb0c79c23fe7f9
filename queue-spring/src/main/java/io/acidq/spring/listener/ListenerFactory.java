package io.acidq.spring.listener;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import io.acidq.config.Concurrency;
import io.acidq.config.HandlerMode;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.engine.EngineBuilder;
import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState.Kind;
import io.acidq.resilience.NamedOrGiven;
import io.acidq.resilience.RetryPolicy;
import io.acidq.spring.ListenerCustomizer;
import io.acidq.spring.ListenerDefaults;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.QueueErrorHandler;
import io.acidq.spring.QueueListener;
import io.acidq.spring.QueueListenerRegistry;
import io.acidq.spring.expression.AnnotationAttributes;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.function.SingletonSupplier;

/** Creates the listeners of the engines from the methods with {@link QueueListener}. Not API. */
public final class ListenerFactory {

    /** Large enough to save most of the cost of a COMMIT, small enough to be repeated one by one after a failure. */
    private static final String BATCH_SIZE = "20";

    /** Spring follows it if its API is on the class path. */
    private static final String JAKARTA_TRANSACTIONAL = "jakarta.transaction.Transactional";

    /** By name, because the enum of Jakarta is another one. */
    private static final Set<String> LEAVING = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");

    private final ConfigurableListableBeanFactory beanFactory;
    private final QueueEngines engines;
    private final AnnotationAttributes attributes;
    private final HandlerFactory handlers;
    private final PolicyBeans policies;
    private final RecurringFactory recurring;
    private final Map<Kind, Map<String, Guard.Source>> guards = new EnumMap<>(Kind.class);
    private final SingletonSupplier<List<DeclaredListener>> declared = SingletonSupplier.of(this::declare);

    public ListenerFactory(ConfigurableListableBeanFactory beanFactory, QueueEngines engines) {
        this.beanFactory = beanFactory;
        this.engines = engines;
        this.attributes = new AnnotationAttributes(beanFactory);
        this.handlers = new HandlerFactory(beanFactory);
        this.policies = new PolicyBeans(beanFactory);
        this.recurring = new RecurringFactory(beanFactory, attributes);
    }

    /** Returns the listeners of the application, at most one per queue and engine. They are found at the first call, when all bean definitions exist. */
    List<DeclaredListener> declared() {
        return declared.obtain();
    }

    /**
     * Adds to an engine its listeners, the guards that they name, and its recurring messages.
     *
     * @param limit returns the same listeners, with fewer workers if the connection pool is too small for all
     */
    public void addTo(EngineBuilder builder, String engine, UnaryOperator<List<Listener<?>>> limit) {
        List<DeclaredListener> ofEngine =
                declared().stream().filter(each -> each.engine().equals(engine)).toList();
        Map<String, Listener<?>> limited = new LinkedHashMap<>();
        limit.apply(ofEngine.stream()
                        .<Listener<?>>map(DeclaredListener::listener)
                        .toList())
                .forEach(listener -> limited.put(listener.queue(), listener));
        for (DeclaredListener each : ofEngine) {
            Listener<?> listener = limited.getOrDefault(each.queue(), each.listener());
            if (each.autoStartup()) {
                builder.listen(listener);
            } else {
                builder.listenLater(listener);
            }
        }
        recurring.addTo(builder, engine, ofEngine);
        guards.getOrDefault(Kind.BREAKER, Map.of()).forEach(builder::breaker);
        guards.getOrDefault(Kind.RATE_LIMIT, Map.of()).forEach(builder::rateLimit);
        guards.getOrDefault(Kind.BULKHEAD, Map.of()).forEach(builder::bulkhead);
    }

    /** Returns the registry of the listeners of all engines. */
    public QueueListenerRegistry registry() {
        return new DeclaredListenerRegistry(engines, this::declared);
    }

    /** Requests the beans of the listeners, so that an error in them fails the start and not the first message. */
    public void prepare() {
        handlers.prepare();
    }

    /**
     * Fails if the beans of a child context have listeners, which no engine would run.
     *
     * @param child a context that has been refreshed
     */
    public void refuseListenersOf(ApplicationContext child) {
        if (child.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory ofChild
                && ofChild != beanFactory
                && !hasListenerFactory(ofChild)) {
            AnnotatedMethod.findAll(ofChild, false).stream().findFirst().ifPresent(method -> {
                throw QueueMisuseException.withAction(
                        "@QueueListener on " + method.where() + " is in a child (" + child.getDisplayName()
                                + ") of the context that has the engine, so it would never be called",
                        "define the bean in the context of the engine, or enable AcidQ in the child context only");
            });
        }
    }

    private static boolean hasListenerFactory(ConfigurableListableBeanFactory beanFactory) {
        return beanFactory.getBeanNamesForType(ListenerFactory.class, true, false).length > 0;
    }

    /** Returns the factories of this context, and of its parents up to one that has engines of its own. */
    private List<ConfigurableListableBeanFactory> searched() {
        List<ConfigurableListableBeanFactory> searched = new ArrayList<>(List.of(beanFactory));
        BeanFactory parent = beanFactory.getParentBeanFactory();
        while (parent instanceof ConfigurableListableBeanFactory each && !hasListenerFactory(each)) {
            searched.add(each);
            parent = each.getParentBeanFactory();
        }
        return searched;
    }

    private List<DeclaredListener> declare() {
        List<AnnotatedMethod> methods = new ArrayList<>();
        for (ConfigurableListableBeanFactory each : searched()) {
            List<AnnotatedMethod> found = AnnotatedMethod.findAll(each, true);
            each.addBeanPostProcessor(new LateListenerCheck(each, found));
            AnnotatedMethod.ofInnerBeans(each).stream().findFirst().ifPresent(inner -> {
                throw QueueMisuseException.withAction(
                        "@QueueListener on " + AnnotationAttributes.nameOf(inner.method()) + " is in an inner bean of '"
                                + inner.beanName() + "', which has no name by which it could be called",
                        "define it as a bean of its own, and refer to that bean");
            });
            methods.addAll(found);
        }
        List<DeclaredListener> all = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (AnnotatedMethod method : methods) {
            try {
                declare(method, ids).forEach(each -> {
                    refuseSecond(all, each);
                    all.add(each);
                });
            } catch (QueueMisuseException e) {
                throw e.getMessage() != null && e.getMessage().contains(method.where()) ? e : method.misuse(e);
            }
        }
        return List.copyOf(all);
    }

    private List<DeclaredListener> declare(AnnotatedMethod method, Set<String> ids) {
        QueueListener annotation = method.annotation();
        boolean starts = attributes.flag("autoStartup", annotation.autoStartup());
        String engine = engines.nameOf(attributes.text("transactionManager", annotation.transactionManager()));
        String id = id(method, ids);
        List<DeclaredListener> found = new ArrayList<>();
        for (Listener<?> listener : read(method)) {
            ListenerAdvice.refuseRepetition(method, listener.options().mode());
            if (listener.options().mode() == HandlerMode.TRANSACTIONAL) {
                refuseOwnTransaction(method, engine);
            }
            found.add(new DeclaredListener(id, engine, resolved(customized(listener), method), method, starts));
        }
        return found;
    }

    /** Refuses a method that leaves the transaction of the message: its effects would be committed without the acknowledgement. */
    private void refuseOwnTransaction(AnnotatedMethod method, String engine) {
        for (AnnotatedElement element : List.of(method.method(), method.type())) {
            Transactional transactional = AnnotatedElementUtils.findMergedAnnotation(element, Transactional.class);
            if (transactional != null) {
                if (isOfEngine(transactional.transactionManager(), engine)) {
                    refuseAttributesWithoutEffect(transactional);
                    refuseLeaving("propagation = ", transactional.propagation().name());
                }
                return;
            }
            MergedAnnotation<?> ofJakarta = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
                    .get(JAKARTA_TRANSACTIONAL);
            if (ofJakarta.isPresent()) {
                if (isOfEngine("", engine)) {
                    ofJakarta.getValue("value").ifPresent(type -> refuseLeaving("", type.toString()));
                }
                return;
            }
        }
    }

    private static void refuseLeaving(String attribute, String propagation) {
        if (LEAVING.contains(propagation)) {
            throw QueueMisuseException.withAction(
                    "@Transactional(" + attribute + propagation
                            + ") leaves the transaction of the message, so its effects would commit without the message",
                    "remove the propagation, or set mode = \"external\" on @QueueListener if the work must not be in that transaction");
        }
    }

    /** Refuses attributes that have no effect on a method whose transaction has begun before. */
    private static void refuseAttributesWithoutEffect(Transactional transactional) {
        Isolation isolation = transactional.isolation();
        String ignored = isolation != Isolation.DEFAULT && isolation != Isolation.READ_COMMITTED
                ? "isolation = " + isolation
                : transactional.timeout() > 0 || !transactional.timeoutString().isEmpty() ? "timeout" : "";
        if (!ignored.isEmpty()) {
            throw QueueMisuseException.withAction(
                    "@Transactional(" + ignored
                            + ") has no effect on a listener, whose transaction AcidQ begins, at READ COMMITTED and without a timeout",
                    "remove the attribute and, for a timeout, set timeout on @QueueListener; or set mode = \"external\", in which the method begins its own transaction");
        }
    }

    private boolean isOfEngine(String transactionManager, String engine) {
        try {
            return engines.nameOf(attributes.resolve("transactionManager", transactionManager))
                    .equals(engine);
        } catch (QueueMisuseException e) { // the manager of another database
            return false;
        }
    }

    private String id(AnnotatedMethod method, Set<String> ids) {
        String written = attributes.text("id", method.annotation().id());
        String id =
                written.isEmpty() ? method.beanName() + "." + method.method().getName() : written;
        if (!written.isEmpty() && !ids.add(id)) {
            throw new QueueMisuseException(
                    "id '" + id + "' is used by another listener too: give each listener its own id");
        }
        for (int number = 2; written.isEmpty() && !ids.add(id); number++) {
            id = method.beanName() + "." + method.method().getName() + "#" + number;
        }
        return id;
    }

    private static void refuseSecond(List<DeclaredListener> all, DeclaredListener second) {
        for (DeclaredListener first : all) {
            if (first.queue().equals(second.queue()) && first.engine().equals(second.engine())) {
                throw QueueMisuseException.withAction(
                        "queue '" + first.queue() + "' has two listeners, "
                                + first.method().where() + " and "
                                + second.method().where(),
                        "each message goes to one of them. Remove one; or, if each is to get every message, publish to a topic and give"
                                + " each a subscription: @QueueListener(topic = \"…\", subscription = \"…\")");
            }
        }
    }

    /** Creates the listener of each queue of a method from its annotation. */
    private List<Listener<?>> read(AnnotatedMethod method) {
        QueueListener annotation = method.annotation();
        boolean batch = attributes.flag("batch", annotation.batch());
        Class<?> payloadType = new ListenerParameters(method, batch).payloadType();
        List<String> queues = attributes.texts("queues", annotation.queues());
        String topic = attributes.text("topic", annotation.topic());
        String subscription = attributes.text("subscription", annotation.subscription());
        if (!topic.isEmpty() || !subscription.isEmpty()) {
            requireOnlyTopic(annotation, topic, subscription);
            queues.add(InputChecks.subscriptionQueue(topic, subscription));
        } else if (!annotation.queue().isEmpty() || annotation.queues().length == 0) {
            // with neither queue nor queues an empty name is added, which the check of names refuses
            queues.add(0, attributes.text("queue", annotation.queue()));
        }
        if (queues.isEmpty()) {
            throw new QueueMisuseException(
                    "queues is an empty list: name at least one queue; to have no listener, make its bean conditional, such as with @ConditionalOnProperty");
        }
        ListenerDefaults defaults = bean("containerFactory", ListenerDefaults.class, annotation.containerFactory());
        List<Listener<?>> listeners = new ArrayList<>();
        for (String queue : queues.stream().distinct().toList()) {
            listeners.add(
                    listener(queue, payloadType, method, batch, defaults == null ? ListenerDefaults.none() : defaults));
        }
        return listeners;
    }

    private static void requireOnlyTopic(QueueListener annotation, String topic, String subscription) {
        if (topic.isEmpty() || subscription.isEmpty()) {
            throw QueueMisuseException.withAction(
                    topic.isEmpty()
                            ? "subscription '" + subscription + "' has no topic"
                            : "topic '" + topic + "' has no subscription, which keeps the messages of this listener",
                    "set both, such as topic = \"order.placed\", subscription = \"billing\"");
        }
        if (!annotation.queue().isEmpty() || annotation.queues().length > 0) {
            throw QueueMisuseException.withAction(
                    "topic '" + topic + "' and a queue are both set", "remove one of them, or write a method for each");
        }
    }

    private <T> Listener<T> listener(
            String queue, Class<T> payloadType, AnnotatedMethod method, boolean batch, ListenerDefaults defaults) {
        QueueListener annotation = method.annotation();
        QueueErrorHandler errors =
                bean("errorHandler", QueueErrorHandler.class, annotation.errorHandler(), defaults.errorHandler());
        ListenerMethod<T> handler =
                handlers.handler(method, batch, attributes.resolve("condition", annotation.condition()), errors);
        // 1 is replaced by the options below
        Listener<T> listener =
                batch ? Listener.onBatch(queue, payloadType, 1, handler) : Listener.on(queue, payloadType, handler);
        listener = listener.withConcurrency(
                        workers(attributes.text("concurrency", annotation.concurrency(), defaults.concurrency())))
                .withOptions(options(annotation, batch, defaults));
        listener =
                withName(listener, attributes.text("retry", annotation.retry(), defaults.retry()), Listener::withRetry);
        listener = withName(listener, attributes.text("filter", annotation.filter()), Listener::withFilter);
        listener = withName(listener, attributes.text("breaker", annotation.breaker()), Listener::withBreaker);
        listener = withName(listener, attributes.text("rateLimit", annotation.rateLimit()), Listener::withRateLimit);
        return withName(listener, attributes.text("bulkhead", annotation.bulkhead()), Listener::withBulkhead);
    }

    private static <T> Listener<T> withName(
            Listener<T> listener, String name, BiFunction<Listener<T>, String, Listener<T>> with) {
        return name.isEmpty() ? listener : with.apply(listener, name);
    }

    private HandlerOptions options(QueueListener annotation, boolean batch, ListenerDefaults defaults) {
        String size = attributes.text(
                "transactionSize", annotation.transactionSize(), defaults.transactionSize(), batch ? BATCH_SIZE : "1");
        return new HandlerOptions(
                mode(attributes.text("mode", annotation.mode(), defaults.mode(), HandlerMode.TRANSACTIONAL.name())),
                attributes.number("transactionSize", size),
                attributes.duration("timeout", attributes.text("timeout", annotation.timeout(), defaults.timeout())),
                HandlerOptions.defaults().grace(),
                attributes.flag("deadline", annotation.deadline()),
                attributes.flag("interruptOnCancel", annotation.interruptOnCancel()));
    }

    private static HandlerMode mode(String value) {
        try {
            return HandlerMode.valueOf(value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new QueueMisuseException("mode must be transactional or external, was '" + value + "'", e);
        }
    }

    private static Concurrency workers(String value) {
        return value.isEmpty() ? Concurrency.fixed(Listener.DEFAULT_CONCURRENCY) : Concurrency.parse(value);
    }

    /** Returns the bean with the written name, or the value of an expression; null if nothing is written. */
    private <B> @Nullable B bean(String attribute, Class<B> type, String... written) {
        Object value = attributes.object(attribute, written);
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        String name = value.toString().trim();
        if (name.isEmpty()) {
            return null;
        }
        try {
            return beanFactory.getBean(name, type);
        } catch (NoSuchBeanDefinitionException e) {
            throw QueueMisuseException.withAction(
                    attribute + " names '" + name + "', but there is no bean of that name and of type " + type.getName()
                            + " (there are: " + String.join(", ", beanFactory.getBeanNamesForType(type)) + ")",
                    "define one, or name none",
                    e);
        }
    }

    private <T> Listener<T> customized(Listener<T> listener) {
        Listener<T> customized = listener;
        for (ListenerCustomizer customizer : beanFactory
                .getBeanProvider(ListenerCustomizer.class)
                .orderedStream()
                .toList()) {
            customized = customizer.customize(customized);
        }
        return customized;
    }

    /** Resolves the names in a listener: sets its retry policy, and collects its guards for the engine, in which listeners share a guard by its name. */
    private <T> Listener<T> resolved(Listener<T> listener, AnnotatedMethod method) {
        String where = "@QueueListener on " + method.where() + ": queue '" + listener.queue() + "'";
        addGuard(Kind.BREAKER, listener.guards().breaker(), where);
        addGuard(Kind.RATE_LIMIT, listener.guards().rateLimit(), where);
        addGuard(Kind.BULKHEAD, listener.guards().bulkhead(), where);
        String name = listener.retry().name();
        RetryPolicy policy =
                name != null ? policies.retry(name, where) : listener.retry().given();
        policy = policy == null ? policies.defaultRetry() : policy;
        return policy == null ? listener : listener.withRetry(policy);
    }

    private void addGuard(Kind kind, NamedOrGiven<Guard.Source> namedOrGiven, String where) {
        String name = namedOrGiven.name();
        if (name != null) {
            guards.computeIfAbsent(kind, k -> new LinkedHashMap<>())
                    .computeIfAbsent(name, n -> policies.guard(kind, n, where));
        }
    }

    /**
     * One queue of a {@link QueueListener}.
     *
     * @param id          the id of the annotation, the same for all its queues
     * @param engine      the name of the engine that runs it
     * @param listener    the listener as the engine gets it
     * @param method      the annotated method
     * @param autoStartup whether it starts with the engine
     */
    record DeclaredListener(
            String id, String engine, Listener<?> listener, AnnotatedMethod method, boolean autoStartup) {

        String queue() {
            return listener.queue();
        }
    }
}
