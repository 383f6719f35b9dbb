/** Verifies JSON Web Tokens off the event loop, within a budget for each client address. */
@NullMarked
package dev.weir.http.jwt;

import org.jspecify.annotations.NullMarked;
