package dev.weir.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.lang.ref.WeakReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sees that a container has dropped a request: it no longer has what was attached to it.
 *
 * <p>A container that uses its requests again clears them before, or takes them away from the
 * object that the application has. It keeps the request alive until then, not this.
 */
final class RequestWatch implements BooleanSupplier {
  private static final String MARK = RequestWatch.class.getName();

  private final WeakReference<ServletRequest> request;

  /** Whether the last look missed the mark; only the timer that asks changes it. */
  private volatile boolean missed;

  private RequestWatch(ServletRequest request) {
    this.request = new WeakReference<>(request);
  }

  /** Watches the container's own request; a later watch ends an earlier one of another filter. */
  static RequestWatch on(ServletRequest request) {
    RequestWatch watch = new RequestWatch(unwrapped(request));
    request.setAttribute(MARK, watch);
    return watch;
  }

  private static ServletRequest unwrapped(ServletRequest request) {
    ServletRequest own = request;
    while (own instanceof ServletRequestWrapper wrapper) {
      own = wrapper.getRequest();
    }
    return own;
  }

  /**
   * Whether the container has dropped the request; false if that cannot be known. It takes two
   * looks in a row that miss the mark: a container may keep attributes in a map that is read while
   * the application writes to it.
   */
  @Override
  public boolean getAsBoolean() {
    ServletRequest known = request.get();
    boolean misses = known != null && !has(known);
    boolean dropped = misses && missed;
    missed = misses;
    return dropped;
  }

  private boolean has(ServletRequest known) {
    try {
      @Nullable Object mark = known.getAttribute(MARK);
      return mark == this;
    } catch (IllegalStateException e) {
      return false; // the container has taken it away
    }
  }
}
