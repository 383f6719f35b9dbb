/** What operators may do to rules for a while, and to single callers. */
@NullMarked
package dev.weir.rule.action;

import org.jspecify.annotations.NullMarked;
