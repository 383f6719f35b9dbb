/** Settings, and connections to one node, to a master found through Sentinel, or to a cluster. */
@NullMarked
package dev.weir.redis.connection;

import org.jspecify.annotations.NullMarked;
