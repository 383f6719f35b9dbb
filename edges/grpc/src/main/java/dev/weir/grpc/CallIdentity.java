package dev.weir.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import org.jspecify.annotations.Nullable;

/**
 * Names the caller of a call, for rules that read {@code principal}. Implementations are
 * thread-safe and do not block.
 */
@FunctionalInterface
public interface CallIdentity {
  /**
   * The name of the authenticated caller; null if there is none. Called only if rules ask for it,
   * in the {@link io.grpc.Context} that earlier interceptors have attached.
   */
  @Nullable String principal(ServerCall<?, ?> call, Metadata headers);
}
