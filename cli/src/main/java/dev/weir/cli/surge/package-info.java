/** The {@code weir surge} command: a service that collapses, bare and behind Weir. */
@NullMarked
package dev.weir.cli.surge;

import org.jspecify.annotations.NullMarked;
