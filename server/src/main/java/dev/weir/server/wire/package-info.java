/** What both sides of a connection need: how messages travel. */
@NullMarked
package dev.weir.server.wire;

import org.jspecify.annotations.NullMarked;
