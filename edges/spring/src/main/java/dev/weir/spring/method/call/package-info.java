/** Limits single calls of annotated methods, by what the methods return. */
@NullMarked
package dev.weir.spring.method.call;

import org.jspecify.annotations.NullMarked;
