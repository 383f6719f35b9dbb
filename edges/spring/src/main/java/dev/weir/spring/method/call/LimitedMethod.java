package dev.weir.spring.method.call;

import dev.weir.spring.method.expression.MethodCall;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A method with its limits. Thread-safe. */
public final class LimitedMethod {
  private final List<MethodLimit> limits;
  private final CallStyle style;

  /**
   * A method.
   *
   * @param limits that of the permits which are held before that of the permits which are spent, so
   *     that a call which one of them denies is charged nowhere
   */
  LimitedMethod(List<MethodLimit> limits, CallStyle style) {
    this.limits = List.copyOf(limits);
    this.style = style;
  }

  /**
   * Calls the method if its limits grant it.
   *
   * @throws Throwable what the method throws, or a {@link
   *     dev.weir.spring.method.RateLimitedException}
   */
  public @Nullable Object invoke(MethodInvocation invocation, MethodCall call) throws Throwable {
    // A reactive type may be subscribed to several times, and an invocation proceeds once.
    CallBody body =
        style instanceof BlockingStyle
            ? invocation::proceed
            : () -> ((ProxyMethodInvocation) invocation).invocableClone().proceed();
    for (int i = limits.size() - 1; i > 0; i--) {
      CallBody inner = body;
      MethodLimit limit = limits.get(i);
      body = () -> style.call(limit, call, inner);
    }
    return style.call(limits.get(0), call, body);
  }

  /**
   * Looks for the limits, so that a wrong name is found before the first call.
   *
   * @throws dev.weir.spring.WeirStartupException if the rules do not have them
   */
  public void open() {
    limits.forEach(limit -> limit.gate().open());
  }
}
