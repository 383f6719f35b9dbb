/**
 * Weir as a server on Vert.x: {@link dev.weir.server.WeirServer} starts and stops it, {@code
 * Assembly} wires it. The edges are in packages of their own; the limiter decides.
 */
@NullMarked
package dev.weir.server;

import org.jspecify.annotations.NullMarked;
