/** The {@code weir action} command: what operators do to rules and callers for a while. */
@NullMarked
package dev.weir.cli.action;

import org.jspecify.annotations.NullMarked;
