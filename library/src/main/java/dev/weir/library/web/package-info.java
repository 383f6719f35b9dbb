/** What edges of applications do with a decision about an HTTP request: filters, interceptors. */
@NullMarked
package dev.weir.library.web;

import org.jspecify.annotations.NullMarked;
