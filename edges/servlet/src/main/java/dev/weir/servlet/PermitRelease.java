package dev.weir.servlet;

import dev.weir.library.web.Admission;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Ends the admission of a request that goes on after its filters. */
final class PermitRelease implements AsyncListener {
  private final Admission admission;

  PermitRelease(Admission admission) {
    this.admission = admission;
  }

  @Override
  public void onComplete(AsyncEvent event) {
    admission.close();
  }

  /** Not the end: the container completes the request afterwards, or the application goes on. */
  @Override
  public void onTimeout(AsyncEvent event) {}

  /** Not the end: the container completes the request afterwards. */
  @Override
  public void onError(AsyncEvent event) {}

  /** A new cycle of the same request does not keep its listeners. */
  @Override
  public void onStartAsync(AsyncEvent event) {
    event.getAsyncContext().addListener(this);
  }
}
