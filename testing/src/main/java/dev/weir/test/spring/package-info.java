/** For tests of Spring Boot applications: {@link dev.weir.test.spring.AutoConfigureWeir}. */
@NullMarked
package dev.weir.test.spring;

import org.jspecify.annotations.NullMarked;
