/** The conditions of rules, and the index that finds the rules whose conditions may hold. */
@NullMarked
package dev.weir.rule.condition;

import org.jspecify.annotations.NullMarked;
