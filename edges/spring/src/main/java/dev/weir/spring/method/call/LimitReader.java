package dev.weir.spring.method.call;

import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.RateLimiter;
import dev.weir.library.RulesLimiter;
import dev.weir.spring.method.ConcurrencyLimited;
import dev.weir.spring.method.RateLimited;
import dev.weir.spring.method.expression.AnnotationSite;
import dev.weir.spring.method.expression.CostExpression;
import dev.weir.spring.method.expression.Expressions;
import dev.weir.spring.method.expression.KeyExpression;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.function.SingletonSupplier;

/** Reads the annotations of a method, and refuses what would not limit it. Thread-safe. */
public final class LimitReader {
  /** In the order in which their limits are taken. */
  private static final List<Class<? extends Annotation>> ANNOTATIONS =
      List.of(ConcurrencyLimited.class, RateLimited.class);

  private final ConfigurableBeanFactory beans;
  private final Expressions expressions;
  private final CallStyles styles = new CallStyles();

  /** Reads annotations of the beans of a factory. */
  public LimitReader(ConfigurableBeanFactory beans) {
    this.beans = beans;
    this.expressions = new Expressions(beans);
  }

  /**
   * The limits of a method; null if it has none.
   *
   * @param type the class of the bean
   * @throws dev.weir.spring.WeirStartupException if they would not limit it
   */
  public @Nullable LimitedMethod read(Method method, Class<?> type) {
    List<MethodLimit> limits = new ArrayList<>(2);
    CallStyle style = null;
    for (Class<? extends Annotation> annotation : ANNOTATIONS) {
      MergedAnnotation<?> found = find(annotation, method, type);
      if (found.isPresent()) {
        AnnotationSite site = site(found, method, type);
        requireProxied(site);
        style = styles.of(site);
        limits.add(limit(site, found));
      }
    }
    return style == null ? null : new LimitedMethod(limits, style);
  }

  /** Whether a method has limits, right or wrong. */
  public static boolean isAnnotated(Method method, Class<?> type) {
    return ANNOTATIONS.stream().anyMatch(one -> find(one, method, type).isPresent());
  }

  private static MergedAnnotation<?> find(
      Class<? extends Annotation> annotation, Method method, Class<?> type) {
    MergedAnnotation<?> own =
        MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(annotation);
    boolean ofClass =
        method.getDeclaringClass() != Object.class
            && Modifier.isPublic(method.getModifiers())
            && !Modifier.isStatic(method.getModifiers())
            && !method.isSynthetic();
    return own.isPresent() || !ofClass
        ? own
        : MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).get(annotation);
  }

  private static AnnotationSite site(MergedAnnotation<?> found, Method method, Class<?> type) {
    Method declared = found.getSource() instanceof Method source ? source : method;
    return new AnnotationSite(found.getType().getSimpleName(), method, declared, type);
  }

  /** What a proxy does not see would be called without a limit. */
  private static void requireProxied(AnnotationSite site) {
    int modifiers = site.method().getModifiers();
    String kind =
        Modifier.isPrivate(modifiers)
            ? "private method"
            : Modifier.isStatic(modifiers)
                ? "static method"
                : Modifier.isFinal(modifiers) && !AnnotationSite.isByInterface(site.type())
                    ? "final method"
                    : "";
    if (!kind.isEmpty()) {
      throw site.unsupported(
          kind,
          "a method that a proxy can override",
          "Make the method public and not final, or limit the method of another bean.");
    }
  }

  private MethodLimit limit(AnnotationSite site, MergedAnnotation<?> found) {
    String name = resolved(found.getString("name"));
    String fallback = found.getString("fallback");
    if (name.isBlank()) {
      throw site.wrong("name", name, "a call of the rules", "Name an entry of weir.calls.");
    }
    Duration wait = duration(site, resolved(found.getString("maxWait")));
    KeyExpression key = expressions.key(site, found.getString("key"));
    if (site.isConcurrency()) {
      Supplier<ConcurrencyLimiter> limiter = named(site, name, rules -> rules.concurrency(name));
      return new MethodLimit(
          new ConcurrencyGate(site.name(), wait, limiter), key, null, Fallback.of(site, fallback));
    }
    CostExpression cost = expressions.cost(site, found.getString("cost"));
    Supplier<RateLimiter> limiter = named(site, name, rules -> rules.limiter(name));
    return new MethodLimit(
        new RateGate(site.name(), wait, limiter), key, cost, Fallback.of(site, fallback));
  }

  /** A limiter, which is looked for once the rules can be there. */
  private <T> Supplier<T> named(
      AnnotationSite site, String name, Function<RulesLimiter, T> limiter) {
    return SingletonSupplier.of(
        () -> {
          RulesLimiter rules = beans.getBean(RulesLimiter.class);
          try {
            return limiter.apply(rules);
          } catch (IllegalArgumentException e) {
            throw site.unknown(name, String.valueOf(e.getMessage()), e);
          }
        });
  }

  private static Duration duration(AnnotationSite site, String text) {
    if (text.isEmpty()) {
      return Duration.ZERO;
    }
    try {
      Duration wait = DurationStyle.detectAndParse(text);
      if (!wait.isNegative()) {
        return wait;
      }
    } catch (IllegalArgumentException e) {
      throw wrongWait(site, text, e);
    }
    throw wrongWait(site, text, null);
  }

  private static RuntimeException wrongWait(
      AnnotationSite site, String text, @Nullable IllegalArgumentException cause) {
    return site.wrong(
        "maxWait", text, "a duration", "Write a duration such as 2s or 500ms.", cause);
  }

  private String resolved(String text) {
    String value = beans.resolveEmbeddedValue(text);
    return value == null ? "" : value;
  }
}
