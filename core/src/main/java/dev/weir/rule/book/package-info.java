/** Compiled rules: from a descriptor to the claims of the rules that match it. */
@NullMarked
package dev.weir.rule.book;

import org.jspecify.annotations.NullMarked;
