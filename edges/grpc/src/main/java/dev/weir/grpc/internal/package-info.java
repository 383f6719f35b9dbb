/** Parts of the interceptors, not for use by applications. */
@NullMarked
package dev.weir.grpc.internal;

import org.jspecify.annotations.NullMarked;
