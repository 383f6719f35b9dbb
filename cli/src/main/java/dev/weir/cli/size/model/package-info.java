/** What counters take: bytes in Redis and in process, and calls to the store. */
@NullMarked
package dev.weir.cli.size.model;

import org.jspecify.annotations.NullMarked;
