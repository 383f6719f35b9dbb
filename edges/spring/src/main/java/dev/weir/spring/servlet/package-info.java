/** Limits the requests of servlet applications. */
@NullMarked
package dev.weir.spring.servlet;

import org.jspecify.annotations.NullMarked;
