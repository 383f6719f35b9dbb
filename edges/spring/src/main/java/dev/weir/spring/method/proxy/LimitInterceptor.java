package dev.weir.spring.method.proxy;

import dev.weir.spring.method.call.LimitedMethod;
import dev.weir.spring.method.expression.MethodCall;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Limits the calls that pass a proxy. Thread-safe. */
final class LimitInterceptor implements MethodInterceptor {
  private final LimitedMethods methods;

  LimitInterceptor(LimitedMethods methods) {
    this.methods = methods;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = target(invocation);
    LimitedMethod limited = methods.find(invocation.getMethod(), target.getClass());
    return limited == null
        ? invocation.proceed()
        : limited.invoke(
            invocation, new MethodCall(target, invocation.getMethod(), invocation.getArguments()));
  }

  /** The bean itself; a client that is made of an interface is nothing but its proxy. */
  private static Object target(MethodInvocation invocation) {
    Object target = invocation.getThis();
    return target == null ? ((ProxyMethodInvocation) invocation).getProxy() : target;
  }
}
