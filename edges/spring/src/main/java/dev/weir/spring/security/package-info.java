/** The place of a filter before or after Spring Security. */
@NullMarked
package dev.weir.spring.security;

import org.jspecify.annotations.NullMarked;
