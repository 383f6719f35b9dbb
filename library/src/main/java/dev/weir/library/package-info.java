/**
 * Weir for Java developers: {@link dev.weir.library.Weir} makes rate limiters and concurrency
 * limiters, in this process or shared through Redis, and reads rules files.
 */
@NullMarked
package dev.weir.library;

import org.jspecify.annotations.NullMarked;
