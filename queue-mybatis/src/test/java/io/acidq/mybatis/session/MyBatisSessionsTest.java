package io.acidq.mybatis.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class MyBatisSessionsTest {

    /** A bug: each of the first threads that enqueued read all mapper files. */
    @Test
    void buildsEachConfigurationOnceForConcurrentCallers() {
        assertThat(IntStream.range(0, 16).parallel().mapToObj(i -> MyBatisSessions.factory(key(Vendor.MYSQL))))
                .containsOnly(MyBatisSessions.factory(key(Vendor.MYSQL)));
        assertThat(MyBatisSessions.factory(key(Vendor.MARIADB)))
                .isNotSameAs(MyBatisSessions.factory(key(Vendor.MYSQL)));
    }

    /** Loads MyBatis and this module anew, and MyBatis without the method that 3.5.10 added, as the class path of an older one does. */
    private static final class OldMyBatis extends ClassLoader {

        private static final String NEW_METHOD = "setArgNameBasedConstructorAutoMapping";

        OldMyBatis() {
            super(MyBatisSessionsTest.class.getClassLoader());
            definePackage("org.apache.ibatis.session", null, null, null, "mybatis", "3.5.9", null, null);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("org.apache.ibatis.") && !name.startsWith("io.acidq.mybatis.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                // a character for each byte, so that the name in the file can be replaced by another one of the same
                // length
                String bytes = new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
                if (name.equals("org.apache.ibatis.session.Configuration")) {
                    assertThat(bytes).contains(NEW_METHOD);
                    bytes = bytes.replace(NEW_METHOD, NEW_METHOD.toUpperCase(Locale.ROOT));
                }
                byte[] defined = bytes.getBytes(StandardCharsets.ISO_8859_1);
                return defineClass(name, defined, 0, defined.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void namesTheVersionOfAnOlderMyBatisAndTheOneThatItNeeds() throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:" + UUID.randomUUID());
        Class<?> sessions = new OldMyBatis().loadClass(MyBatisSessions.class.getName());
        Object opened = sessions.getConstructor(DataSource.class, List.class)
                .newInstance(database, List.of("Fragments.xml", "Session.xml"));

        try (Connection connection = database.getConnection()) {
            assertThatThrownBy(
                            () -> sessions.getMethod("open", Connection.class).invoke(opened, connection))
                    .cause()
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContainingAll(
                            "needs MyBatis 3.5.10 or later and found 3.5.9", "update org.mybatis:mybatis")
                    .hasCauseInstanceOf(NoSuchMethodError.class);
        }
    }

    private static MyBatisSessions.Key key(Vendor vendor) {
        return new MyBatisSessions.Key(vendor, List.of("Fragments.xml", "Session.xml"), List.of());
    }
}
