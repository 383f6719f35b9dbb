/** What the limiters of a Weir report to a registry of Micrometer. */
@NullMarked
package dev.weir.library.metrics;

import org.jspecify.annotations.NullMarked;
