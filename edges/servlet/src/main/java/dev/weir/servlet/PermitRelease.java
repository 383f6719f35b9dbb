package dev.weir.servlet;

import dev.weir.library.web.Admission;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;

/**
 * Ends the admission of a request that goes on after its filters.
 *
 * <p>Tomcat drops a request without calling its listeners if the client goes while the request
 * turns asynchronous. So the request is watched too.
 */
final class PermitRelease implements AsyncListener {
  private final Admission admission;

  private PermitRelease(Admission admission) {
    this.admission = admission;
  }

  /**
   * Releases the permits at the end of an asynchronous request.
   *
   * @throws IllegalStateException if the request is complete already
   */
  static void atEnd(ServletRequest request, Admission admission) {
    admission.closeWhen(RequestWatch.on(request));
    request.getAsyncContext().addListener(new PermitRelease(admission));
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
