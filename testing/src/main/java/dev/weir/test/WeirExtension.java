package dev.weir.test;

import dev.weir.library.Weir;
import dev.weir.library.WeirBuilder;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each JUnit test a {@link Weir} of its own, with a clock that stands still until the test
 * moves it and a store that the test can make fail.
 *
 * <pre>{@code
 * @RegisterExtension final WeirExtension test = WeirExtension.inMemory();
 * }</pre>
 *
 * <p>Or {@code @ExtendWith(WeirExtension.class)}. Either way, test methods and methods before and
 * after each test may have parameters of the types {@link Weir}, {@link WeirTime} and {@link
 * BreakableStore}; where a nested class has an extension of its own, they are of that one. At the
 * end of the test the Weir is closed.
 *
 * <p>Thread-safe, also for tests that run at the same time. If those share one instance of the test
 * class, they need the parameters: {@link #weir()}, {@link #time()} and {@link #store()} cannot
 * know which test asks.
 */
public final class WeirExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final Set<Class<?>> INJECTED =
      Set.of(Weir.class, WeirTime.class, BreakableStore.class);

  private static final Namespace NAMESPACE = Namespace.create(WeirExtension.class);
  private static final String INNERMOST = "innermost";

  private final Consumer<WeirBuilder> settings;

  /** The tests that run now, by their id. */
  private final Map<String, TestWeir> running = new ConcurrentHashMap<>();

  /** For {@code @ExtendWith}: with the default settings. */
  public WeirExtension() {
    this(builder -> {});
  }

  private WeirExtension(Consumer<WeirBuilder> settings) {
    this.settings = settings;
  }

  /** Each test counts in memory, with the default settings. */
  public static WeirExtension inMemory() {
    return new WeirExtension();
  }

  /**
   * Each test counts in memory, with settings of the application.
   *
   * @param settings changes them, such as {@code builder -> builder.onStoreFailure(DENY)}; clock,
   *     timers, store and executor are those of the test
   */
  public static WeirExtension inMemory(Consumer<WeirBuilder> settings) {
    return new WeirExtension(settings);
  }

  /**
   * The Weir of the test that runs.
   *
   * @throws IllegalStateException if no test runs, or more than one
   */
  public Weir weir() {
    return current().weir();
  }

  /**
   * The clock of the test that runs.
   *
   * @throws IllegalStateException if no test runs, or more than one
   */
  public WeirTime time() {
    return current().time();
  }

  /**
   * The store of the test that runs.
   *
   * @throws IllegalStateException if no test runs, or more than one
   */
  public BreakableStore store() {
    return current().store();
  }

  private TestWeir current() {
    TestWeir[] all = running.values().toArray(TestWeir[]::new);
    if (all.length != 1) {
      throw new IllegalStateException(
          "WeirExtension: "
              + all.length
              + " tests running (expected: 1; tests that share an instance and run at the same time"
              + " take Weir, WeirTime and BreakableStore as parameters)");
    }
    return all[0];
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    of(context);
    context.getStore(NAMESPACE).put(INNERMOST, this);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    TestWeir ended = running.remove(context.getUniqueId());
    if (ended != null) {
      ended.close();
    }
  }

  private TestWeir of(ExtensionContext context) {
    return running.computeIfAbsent(context.getUniqueId(), id -> TestWeir.with(settings));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Object innermost = context.getStore(NAMESPACE).get(INNERMOST);
    return INJECTED.contains(parameter.getParameter().getType())
        && (innermost == null || innermost == this);
  }

  /**
   * The value of a parameter.
   *
   * @throws ParameterResolutionException if the parameter is not of one test
   */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (context.getTestMethod().isEmpty()) {
      throw new ParameterResolutionException(
          type.getSimpleName()
              + ": parameter of "
              + parameter.getDeclaringExecutable()
              + " (expected: a parameter of a test method, or of one that runs before or after each"
              + " test)");
    }
    TestWeir test = of(context);
    return type == Weir.class ? test.weir() : type == WeirTime.class ? test.time() : test.store();
  }
}
