package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.WeirStartupException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Async;

/** Annotations that would not limit what they should: the application does not start. */
@Timeout(240)
class MisconfiguredMethodsTest {
  private static final List<String> CALLS =
      List.of("calls.mail.limit=2/hour", "calls.export.concurrent=1");

  /** Names limits that the rules do not have. */
  static class UnknownName {
    @RateLimited(name = "mial", key = "#to")
    void send(String to) {}
  }

  /** Has no name. */
  static class NoName {
    @RateLimited
    void send(String to) {}
  }

  /** Names permits that are held. */
  static class ConcurrencyAsRate {
    @RateLimited(name = "export")
    void send(String to) {}
  }

  /** Names permits that are spent. */
  static class RateAsConcurrency {
    @ConcurrencyLimited(name = "mail")
    void send(String to) {}
  }

  /** Has a key that cannot be read. */
  static class BadExpression {
    @RateLimited(name = "mail", key = "#to.")
    void send(String to) {}
  }

  /** Has a key of a parameter that does not exist. */
  static class UnknownParameter {
    @RateLimited(name = "mail", key = "'to ' + #recipient.name")
    void send(String to) {}
  }

  /** Has a text without quotes as its key. */
  static class TextWithoutQuotes {
    @RateLimited(name = "mail", key = "everyone")
    void send(String to) {}
  }

  /** Has a key of a parameter beyond the last. */
  static class UnknownIndex {
    @RateLimited(name = "mail", key = "#a1")
    void send(String to) {}
  }

  /** Has a key of a bean that does not exist. */
  static class UnknownBean {
    @RateLimited(name = "mail", key = "@tenants.current()")
    void send(String to) {}
  }

  /** Costs nothing. */
  static class NoCost {
    @RateLimited(name = "mail", key = "#to", cost = "0")
    void send(String to) {}
  }

  /** Costs a text. */
  static class TextAsCost {
    @RateLimited(name = "mail", key = "#to", cost = "'many'")
    void send(String to) {}
  }

  /** Waits for something else than a duration. */
  static class BadWait {
    @RateLimited(name = "mail", key = "#to", maxWait = "soon")
    void send(String to) {}
  }

  /** Waits less than not at all. */
  static class NegativeWait {
    @ConcurrencyLimited(name = "export", key = "#to", maxWait = "-2s")
    void send(String to) {}
  }

  /** Has no such fallback. */
  static class NoFallback {
    @RateLimited(name = "mail", key = "#to", fallback = "later")
    String send(String to) {
      return to;
    }
  }

  /** Has a fallback for other parameters. */
  static class FallbackForOthers {
    @RateLimited(name = "mail", key = "#to", fallback = "later")
    String send(String to) {
      return to;
    }

    String later(int to) {
      return "later " + to;
    }
  }

  /** Has a fallback with another result. */
  static class FallbackWithAnotherResult {
    @RateLimited(name = "mail", key = "#to", fallback = "later")
    CompletableFuture<String> send(String to) {
      return CompletableFuture.completedFuture(to);
    }

    String later(String to) {
      return "later " + to;
    }
  }

  /** Has a private method. */
  static class PrivateMethod {
    @RateLimited(name = "mail")
    private void send() {}

    void use() {
      send();
    }
  }

  /** Has a final method. */
  static class FinalMethod {
    @RateLimited(name = "mail")
    public final void send() {}
  }

  /** Has a static method. */
  static class StaticMethod {
    @RateLimited(name = "mail")
    static void send() {}
  }

  /** Cannot be extended. */
  static final class FinalClass {
    @RateLimited(name = "mail")
    void send() {}
  }

  /** Returns what does not say when it is over. */
  static class PlainFuture {
    @RateLimited(name = "mail")
    Future<String> send() {
      return CompletableFuture.completedFuture("sent");
    }
  }

  /** Returns work that begins later. */
  static class HeldForACallable {
    @ConcurrencyLimited(name = "export")
    Callable<String> send() {
      return () -> "sent";
    }
  }

  /** Runs elsewhere, and nobody knows when it is over. */
  static class HeldForAsync {
    @Async
    @ConcurrencyLimited(name = "export")
    void send() {}
  }

  /** Is made when it is used for the first time. */
  @Configuration
  static class LazyBean {
    @Bean
    @Lazy
    UnknownName lazyMail() {
      return new UnknownName();
    }
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(UnknownName.class, ".send: @RateLimited(name = \"mial\") (expected: one of "),
        Arguments.of(NoName.class, ".send: @RateLimited(name = \"\") (expected: a call"),
        Arguments.of(
            ConcurrencyAsRate.class,
            ".send: @RateLimited(name = \"export\") (expected: a call without concurrent)"),
        Arguments.of(
            RateAsConcurrency.class,
            ".send: @ConcurrencyLimited(name = \"mail\") (expected: a call with concurrent)"),
        Arguments.of(
            BadExpression.class,
            ".send: @RateLimited(key = \"#to.\") (expected: an expression of Spring: "),
        Arguments.of(
            UnknownParameter.class,
            ".send: @RateLimited(key = \"'to ' + #recipient.name\") (expected: #recipient to be one"
                + " of #to, #a0, #p0, #root)"),
        Arguments.of(
            TextWithoutQuotes.class,
            ".send: @RateLimited(key = \"everyone\") (expected: everyone to be one of #to"),
        Arguments.of(UnknownIndex.class, ".send: @RateLimited(key = \"#a1\") (expected: #a1 to"),
        Arguments.of(
            UnknownBean.class,
            ".send: @RateLimited(key = \"@tenants.current()\") (expected: @tenants to be a bean)"),
        Arguments.of(
            NoCost.class, ".send: @RateLimited(cost = \"0\") (expected: a whole number between 1"),
        Arguments.of(TextAsCost.class, ".send: @RateLimited(cost = \"'many'\") (expected: a whole"),
        Arguments.of(
            BadWait.class, ".send: @RateLimited(maxWait = \"soon\") (expected: a duration)"),
        Arguments.of(
            NegativeWait.class, ".send: @ConcurrencyLimited(maxWait = \"-2s\") (expected: a dur"),
        Arguments.of(
            NoFallback.class,
            ".send: @RateLimited(fallback = \"later\") (expected: a method String later(String,"
                + " RateLimitedException))"),
        Arguments.of(
            FallbackForOthers.class,
            ".send: @RateLimited(fallback = \"later\") (expected: a method String later(String,"
                + " RateLimitedException); there is java.lang.String "),
        Arguments.of(
            FallbackWithAnotherResult.class,
            ".send: @RateLimited(fallback = \"later\") (expected: a method CompletableFuture"),
        Arguments.of(PrivateMethod.class, ".send: @RateLimited: private method (expected: "),
        Arguments.of(FinalMethod.class, ".send: @RateLimited: final method (expected: "),
        Arguments.of(StaticMethod.class, ".send: @RateLimited: static method (expected: "),
        Arguments.of(FinalClass.class, ": final, with limited methods (expected: "),
        Arguments.of(PlainFuture.class, ".send: @RateLimited: returns java.util.concurrent.Future"),
        Arguments.of(HeldForACallable.class, ".send: @ConcurrencyLimited: returns java.util.con"),
        Arguments.of(HeldForAsync.class, ".send: @ConcurrencyLimited: @Async without a Complet"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void namesMethodAttributeAndRemedy(Class<?> bean, String problem) {
    WeirStartupException refused = Contexts.refused(CALLS, bean);
    assertThat(refused).hasMessageStartingWith(bean.getName() + problem);
    assertThat(refused.remedy()).endsWith(".");
  }

  @Test
  void beansThatAreMadeLaterAreCheckedAtTheStart() {
    assertThat(Contexts.refused(CALLS, LazyBean.class)).hasMessageContaining("\"mial\"");
  }

  /** Compiled here, since there is no compiler of Kotlin: a function as Kotlin compiles it. */
  @Test
  void suspendFunctionIsRefused(@TempDir Path folder) throws Exception {
    Path continuation = Files.createDirectories(folder.resolve("kotlin/coroutines"));
    Files.writeString(
        continuation.resolve("Continuation.java"),
        "package kotlin.coroutines; public interface Continuation<T> {}");
    Files.writeString(
        folder.resolve("Mail.java"),
        "import dev.weir.spring.method.*; public class Mail { @RateLimited(name = \"mail\") public"
            + " Object send(kotlin.coroutines.Continuation<String> next) { return next; } }");
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-sourcepath",
                folder.toString(),
                "-d",
                folder.toString(),
                folder.resolve("Mail.java").toString());
    assertThat(failed).isZero();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      assertThat(Contexts.refused(CALLS, loader.loadClass("Mail")))
          .hasMessageStartingWith("Mail.send: @RateLimited: a suspend function (expected: ");
    }
  }
}
