/** Extracts the values from a request by which rules match and count. */
@NullMarked
package dev.weir.http.identity;

import org.jspecify.annotations.NullMarked;
