/** Headers and bodies of responses. */
@NullMarked
package dev.weir.http.response;

import org.jspecify.annotations.NullMarked;
