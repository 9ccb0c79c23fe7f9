package io.acidq.mybatis;

import io.acidq.mybatis.session.Vendor;
import java.util.UUID;
import javax.sql.DataSource;

/** The tables on H2, for which types, collations and engines are not compared. */
class H2SchemaTest extends SchemaConformance {

    @Override
    DataSource emptyDatabase() {
        return new UnpooledDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
    }

    @Override
    Vendor vendor() {
        return Vendor.H2;
    }
}
