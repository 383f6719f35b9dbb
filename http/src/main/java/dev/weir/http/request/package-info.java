/** The parts of a request in canonical form: path, host, method, cookies. */
@NullMarked
package dev.weir.http.request;

import org.jspecify.annotations.NullMarked;
