/** Load shedding by priority: which requests give way when there is too much to do. */
@NullMarked
package dev.weir.server.shed;

import org.jspecify.annotations.NullMarked;
