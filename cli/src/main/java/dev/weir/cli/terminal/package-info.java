/** Output of commands: text, colour and JSON. */
@NullMarked
package dev.weir.cli.terminal;

import org.jspecify.annotations.NullMarked;
