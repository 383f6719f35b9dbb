/** Benchmarks of the HTTP service under load. */
@NullMarked
package dev.weir.benchmarks.http;

import org.jspecify.annotations.NullMarked;
