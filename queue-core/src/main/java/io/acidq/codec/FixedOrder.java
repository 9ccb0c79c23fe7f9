package io.acidq.codec;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.jdk.CollectionSerializer;
import tools.jackson.databind.ser.jdk.MapSerializer;
import tools.jackson.databind.ser.jdk.StringCollectionSerializer;
import tools.jackson.databind.type.CollectionType;
import tools.jackson.databind.type.MapType;

/** Lets Jackson write the elements of sets and the entries of maps in the order of their texts, if these have no order of their own. */
final class FixedOrder extends ValueSerializerModifier {

    private static final long serialVersionUID = 1L;

    /** Writes the elements of sets: they can contain sets too. Assigned once, before the first use. */
    private transient ObjectMapper elements;

    private FixedOrder(ObjectMapper elements) {
        this.elements = elements;
    }

    /** Returns a mapper that writes as this one does, in a fixed order. */
    static ObjectMapper in(ObjectMapper mapper) {
        FixedOrder order = new FixedOrder(mapper);
        order.elements = mapper.rebuild()
                .addModule(new SimpleModule("acidq-fixed-order").setSerializerModifier(order))
                .build();
        return order.elements;
    }

    @Override
    public ValueSerializer<?> modifyCollectionSerializer(
            SerializationConfig config, CollectionType type, BeanDescription.Supplier bean, ValueSerializer<?> found) {
        return found instanceof CollectionSerializer || found instanceof StringCollectionSerializer
                ? new Ordering(found)
                : found;
    }

    @Override
    public ValueSerializer<?> modifyMapSerializer(
            SerializationConfig config, MapType type, BeanDescription.Supplier bean, ValueSerializer<?> found) {
        return found instanceof MapSerializer ? new Ordering(found) : found;
    }

    private Object ordered(Object value) {
        if (value instanceof Set<?> set) {
            return set instanceof SortedSet || set instanceof LinkedHashSet || set instanceof EnumSet
                    ? set
                    : set.stream()
                            .sorted(Comparator.comparing(elements::writeValueAsString))
                            .collect(Collectors.toCollection(LinkedHashSet::new));
        }
        if (value instanceof Map<?, ?> map
                && !(map instanceof SortedMap || map instanceof LinkedHashMap || map instanceof EnumMap)) {
            Map<Object, Object> sorted = new TreeMap<>(Comparator.comparing(String::valueOf));
            sorted.putAll(map);
            return sorted.size() == map.size() ? sorted : map; // keys with equal texts have no order
        }
        return value;
    }

    /** Gives a serializer of Jackson the content of a collection in the fixed order. */
    private final class Ordering extends ValueSerializer<Object> {

        private final ValueSerializer<Object> serializer;

        @SuppressWarnings("unchecked") // the serializers of collections and maps write each of them
        Ordering(ValueSerializer<?> serializer) {
            this.serializer = (ValueSerializer<Object>) serializer;
        }

        @Override
        public void resolve(SerializationContext context) {
            serializer.resolve(context);
        }

        @Override
        public ValueSerializer<?> createContextual(SerializationContext context, BeanProperty property) {
            return new Ordering(serializer.createContextual(context, property));
        }

        @Override
        public boolean isEmpty(SerializationContext context, Object value) {
            return serializer.isEmpty(context, value);
        }

        @Override
        public void serialize(Object value, JsonGenerator to, SerializationContext context) {
            serializer.serialize(ordered(value), to, context);
        }

        @Override
        public void serializeWithType(
                Object value, JsonGenerator to, SerializationContext context, TypeSerializer type) {
            serializer.serializeWithType(ordered(value), to, context, type);
        }
    }
}
