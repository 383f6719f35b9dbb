package dev.weir.spring.method.expression;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** A call of a method, as expressions see it by {@code #root}. Thread-safe, as its parts are. */
public final class MethodCall {
  private final Object target;
  private final Method method;
  private final @Nullable Object[] args;

  /**
   * A call.
   *
   * @param target the bean itself, not its proxy
   */
  public MethodCall(Object target, Method method, @Nullable Object[] args) {
    this.target = target;
    this.method = method;
    this.args = args;
  }

  /** The bean itself, not its proxy. */
  public Object getTarget() {
    return target;
  }

  /** The method that was called, which may be that of an interface. */
  public Method getMethod() {
    return method;
  }

  /** The arguments themselves, not copies. */
  public @Nullable Object[] getArgs() {
    return args;
  }

  /** The class and the method. */
  public String name() {
    return method.getDeclaringClass().getName() + "." + method.getName();
  }
}
