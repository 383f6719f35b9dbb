package dev.weir.grpc;

import dev.weir.library.web.Admission;
import io.grpc.ServerCall;

/** The listener of a call that holds permits: releases them when the call ends or fails. */
final class ReleasingListener<ReqT> extends ServerCall.Listener<ReqT> {
  private final ServerCall.Listener<ReqT> handler;
  private final Admission admission;

  ReleasingListener(ServerCall.Listener<ReqT> handler, Admission admission) {
    this.handler = handler;
    this.admission = admission;
  }

  @Override
  public void onMessage(ReqT message) {
    guard(() -> handler.onMessage(message));
  }

  @Override
  public void onHalfClose() {
    guard(handler::onHalfClose);
  }

  @Override
  public void onReady() {
    guard(handler::onReady);
  }

  @Override
  public void onCancel() {
    try {
      handler.onCancel();
    } finally {
      admission.close();
    }
  }

  @Override
  public void onComplete() {
    try {
      handler.onComplete();
    } finally {
      admission.close();
    }
  }

  /** What a handler throws ends its call. */
  private void guard(Runnable event) {
    try {
      event.run();
    } catch (RuntimeException | Error e) {
      admission.close();
      throw e;
    }
  }
}
