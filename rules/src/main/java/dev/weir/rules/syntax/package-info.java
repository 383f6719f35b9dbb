/** Reads the sections of a rules file. */
@NullMarked
package dev.weir.rules.syntax;

import org.jspecify.annotations.NullMarked;
