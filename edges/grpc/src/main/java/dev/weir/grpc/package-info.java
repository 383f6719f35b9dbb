/**
 * Interceptors of grpc-java: {@link dev.weir.grpc.WeirServerInterceptor} and {@link
 * dev.weir.grpc.WeirClientInterceptor}.
 */
@NullMarked
package dev.weir.grpc;

import org.jspecify.annotations.NullMarked;
