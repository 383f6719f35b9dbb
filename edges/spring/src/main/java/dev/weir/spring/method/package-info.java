/** Limits calls of methods that are annotated. */
@NullMarked
package dev.weir.spring.method;

import org.jspecify.annotations.NullMarked;
