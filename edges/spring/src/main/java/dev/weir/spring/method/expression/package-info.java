/** Computes keys and costs of calls by the expressions of annotations. */
@NullMarked
package dev.weir.spring.method.expression;

import org.jspecify.annotations.NullMarked;
