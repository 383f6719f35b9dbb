/** The environment by which envoyproxy/ratelimit is set up, read for those who come from there. */
@NullMarked
package dev.weir.cli.ratelimit;

import org.jspecify.annotations.NullMarked;
