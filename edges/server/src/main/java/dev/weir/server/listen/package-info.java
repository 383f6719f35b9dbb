/** HTTP listeners: accepting, draining, reading bodies, slow and malformed requests. */
@NullMarked
package dev.weir.server.listen;

import org.jspecify.annotations.NullMarked;
