/** Limits of single callers that the application knows, such as those of tenants in a database. */
@NullMarked
package dev.weir.library.limits;

import org.jspecify.annotations.NullMarked;
