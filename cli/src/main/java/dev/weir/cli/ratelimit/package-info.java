/** Reads the environment variables that configure envoyproxy/ratelimit. */
@NullMarked
package dev.weir.cli.ratelimit;

import org.jspecify.annotations.NullMarked;
