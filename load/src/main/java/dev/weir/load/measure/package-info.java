/** What is counted and how long it took. */
@NullMarked
package dev.weir.load.measure;

import org.jspecify.annotations.NullMarked;
