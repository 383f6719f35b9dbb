/** How metrics that are counted by hand leave the server, whatever the format. */
@NullMarked
package dev.weir.server.exposition;

import org.jspecify.annotations.NullMarked;
