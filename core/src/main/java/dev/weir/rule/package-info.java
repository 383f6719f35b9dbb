/** Rules turn what an edge knows of a request into claims. */
@NullMarked
package dev.weir.rule;

import org.jspecify.annotations.NullMarked;
