/** Counts in the Redis of Spring Data. */
@NullMarked
package dev.weir.spring.redis;

import org.jspecify.annotations.NullMarked;
