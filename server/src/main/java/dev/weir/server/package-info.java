/** Weir as a service on Vert.x: the edges, and nothing that decides. */
@NullMarked
package dev.weir.server;

import org.jspecify.annotations.NullMarked;
