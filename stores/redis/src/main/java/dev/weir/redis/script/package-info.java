/** The Lua scripts, the names of their keys and the format of their arguments and results. */
@NullMarked
package dev.weir.redis.script;

import org.jspecify.annotations.NullMarked;
