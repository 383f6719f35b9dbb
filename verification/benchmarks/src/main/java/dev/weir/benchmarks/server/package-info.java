/** Servers in processes of their own, with a core of their own, and their load. */
@NullMarked
package dev.weir.benchmarks.server;

import org.jspecify.annotations.NullMarked;
