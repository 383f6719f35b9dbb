/** Warnings about rules that are valid, but hardly work as intended. */
@NullMarked
package dev.weir.rules.lint;

import org.jspecify.annotations.NullMarked;
