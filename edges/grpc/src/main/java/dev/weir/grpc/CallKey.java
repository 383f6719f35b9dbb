package dev.weir.grpc;

import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;

/** The key by which a client counts its calls. Implementations are thread-safe. */
@FunctionalInterface
public interface CallKey {
  /** Each method by itself: {@code package.Service/Method}. */
  CallKey METHOD = (method, options) -> method.getFullMethodName();

  /** The key of a call, of 1 to 8,192 characters. */
  String of(MethodDescriptor<?, ?> method, CallOptions options);
}
