package dev.weir.spring.method.expression;

import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** An attribute that is computed for each call. Thread-safe. */
final class CallExpression {
  private final AnnotationSite site;
  private final String attribute;
  private final Expression expression;
  private final ParameterNameDiscoverer names;
  private final StandardEvaluationContext shared;

  /**
   * An expression that was checked.
   *
   * @param shared what all evaluations have in common; only read
   */
  CallExpression(
      AnnotationSite site,
      String attribute,
      Expression expression,
      ParameterNameDiscoverer names,
      StandardEvaluationContext shared) {
    this.site = site;
    this.attribute = attribute;
    this.expression = expression;
    this.names = names;
    this.shared = shared;
  }

  @Nullable Object of(MethodCall call) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(call, site.declared(), call.getArgs(), names);
    shared.applyDelegatesTo(context);
    context.setBeanResolver(shared.getBeanResolver());
    try {
      return expression.getValue(context);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          site.attribute(attribute, expression.getExpressionString()) + ": " + e.getMessage(), e);
    }
  }

  IllegalArgumentException wrong(String value, String expected) {
    return new IllegalArgumentException(
        site.attribute(attribute, expression.getExpressionString())
            + ": "
            + value
            + " (expected: "
            + expected
            + ")");
  }
}
