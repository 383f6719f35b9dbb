/** The filters of the Spring Boot starter, beside Bucket4j's and Spring Cloud Gateway's. */
@NullMarked
package dev.weir.benchmarks.spring;

import org.jspecify.annotations.NullMarked;
