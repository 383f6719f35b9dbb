package dev.weir.spring.method.proxy;

import dev.weir.spring.method.ConcurrencyLimited;
import dev.weir.spring.method.RateLimited;
import dev.weir.spring.method.call.LimitReader;
import dev.weir.spring.method.call.LimitedMethod;
import dev.weir.spring.method.expression.AnnotationSite;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The annotated methods of all beans, each read once. Bounded by the classes of beans. Thread-safe.
 */
final class LimitedMethods {
  private static final Logger LOG = LoggerFactory.getLogger("dev.weir");

  private static final List<Class<? extends Annotation>> ANNOTATIONS =
      List.of(RateLimited.class, ConcurrencyLimited.class);

  private final LimitReader reader;
  private final Map<MethodClassKey, Optional<LimitedMethod>> methods = new ConcurrentHashMap<>();

  /** The same by the methods that are called: those of interfaces, for example. */
  private final Map<MethodClassKey, Optional<LimitedMethod>> called = new ConcurrentHashMap<>();

  private final Map<Class<?>, List<LimitedMethod>> classes = new ConcurrentHashMap<>();
  private volatile boolean open;

  LimitedMethods(LimitReader reader) {
    this.reader = reader;
  }

  /** The limits of a method, as it was called on a bean; null if it has none. */
  @Nullable LimitedMethod find(Method method, Class<?> beanClass) {
    Class<?> type = ClassUtils.getUserClass(beanClass);
    return called
        .computeIfAbsent(
            new MethodClassKey(method, type),
            key -> Optional.ofNullable(read(AopUtils.getMostSpecificMethod(method, type), type)))
        .orElse(null);
  }

  private @Nullable LimitedMethod read(Method method, Class<?> type) {
    return methods
        .computeIfAbsent(
            new MethodClassKey(method, type), key -> Optional.ofNullable(reader.read(method, type)))
        .orElse(null);
  }

  /** Whether a class has annotated methods, right or wrong. */
  static boolean areIn(Class<?> beanClass) {
    Class<?> type = ClassUtils.getUserClass(beanClass);
    return AnnotationUtils.isCandidateClass(type, ANNOTATIONS)
        && methods(type).stream().anyMatch(method -> LimitReader.isAnnotated(method, type));
  }

  /**
   * Whether a class has annotated methods.
   *
   * @param extended whether its proxy is to be a class that extends it
   */
  boolean areIn(Class<?> beanClass, boolean extended) {
    Class<?> type = ClassUtils.getUserClass(beanClass);
    if (!AnnotationUtils.isCandidateClass(type, ANNOTATIONS)) {
      return false;
    }
    List<LimitedMethod> known = classes.get(type);
    if (known == null) {
      known = all(type);
      requireExtensible(type, extended && !known.isEmpty());
      if (open) {
        known.forEach(LimitedMethod::open);
      }
      classes.put(type, known);
    }
    return !known.isEmpty();
  }

  private List<LimitedMethod> all(Class<?> type) {
    return methods(type).stream()
        .map(method -> read(method, type))
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .distinct()
        .toList();
  }

  /** The methods that a bean of a class runs, those of interfaces and superclasses included. */
  private static List<Method> methods(Class<?> type) {
    List<Class<?>> all = new ArrayList<>(List.of(type));
    all.addAll(ClassUtils.getAllInterfacesForClassAsSet(type));
    try {
      return all.stream()
          .flatMap(one -> Arrays.stream(ReflectionUtils.getAllDeclaredMethods(one)))
          .map(method -> AopUtils.getMostSpecificMethod(method, type))
          .filter(method -> method.getDeclaringClass() != Object.class)
          .distinct()
          .toList();
    } catch (IllegalStateException e) {
      // A method has a type that is not on the class path, as classes of libraries may.
      LOG.warn("Methods of {} are not limited, since they cannot be read", type.getName(), e);
      return List.of();
    }
  }

  private static void requireExtensible(Class<?> type, boolean extended) {
    if (extended && Modifier.isFinal(type.getModifiers()) && !AnnotationSite.isByInterface(type)) {
      throw AnnotationSite.finalClass(type);
    }
  }

  /**
   * Looks for the limits of all methods that are known, and from now on of each one that becomes
   * known.
   *
   * @return how many there are
   */
  int open() {
    open = true;
    classes.values().forEach(all -> all.forEach(LimitedMethod::open));
    return classes.values().stream().mapToInt(List::size).sum();
  }
}
