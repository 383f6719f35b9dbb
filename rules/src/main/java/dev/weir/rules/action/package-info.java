/** Actions of operators: their effect on a version of the rules. */
@NullMarked
package dev.weir.rules.action;

import org.jspecify.annotations.NullMarked;
