/** A filter for Jakarta servlets: {@link dev.weir.servlet.WeirFilter}. */
@NullMarked
package dev.weir.servlet;

import org.jspecify.annotations.NullMarked;
