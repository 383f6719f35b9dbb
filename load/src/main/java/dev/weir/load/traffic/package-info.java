/** Which requests are sent: a mix, an access log, or one request. */
@NullMarked
package dev.weir.load.traffic;

import org.jspecify.annotations.NullMarked;
