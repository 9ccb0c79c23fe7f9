/**
 * Access to the database: detection of the vendor, mapper sessions over connections, short transactions of the store on connections of its own, and the
 * translation of errors.
 */
@NullMarked
package io.acidq.mybatis.session;

import org.jspecify.annotations.NullMarked;
