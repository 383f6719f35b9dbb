/** The rule model: which requests, counted for whom, under which limits. */
@NullMarked
package dev.weir.rule;

import org.jspecify.annotations.NullMarked;
