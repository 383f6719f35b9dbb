package dev.weir.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.Weir;
import dev.weir.library.web.Admission;
import dev.weir.rules.yaml.RulesText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** An admission is used once or given back once, whatever comes first. */
class PendingAdmissionTest {
  private static final WebRequest REQUEST = WebRequest.of("GET", "/");

  private final Weir weir = Weir.inMemory();
  private final RulesLimiter limiter =
      weir.rules(
          RulesText.of(
              "rules.yaml",
              "rules: [{name: busy, concurrent: 1, expires: 1 hour}, {name: count, limit: 100000/hour,"
                  + " algorithm: fixed-window}]\nlint-ignore: needs-release\n"));
  private final CompletableFuture<Admission> future = new CompletableFuture<>();
  private final PendingAdmission pending = new PendingAdmission(future);
  private final List<Throwable> dropped = new ArrayList<>();

  @BeforeEach
  void watch() {
    Hooks.onErrorDropped(dropped::add);
  }

  @AfterEach
  void close() {
    Hooks.resetOnErrorDropped();
    weir.close();
  }

  private Admission taken() {
    Admission admission = limiter.admit(REQUEST);
    assertThat(admission.allowed()).isTrue();
    return admission;
  }

  private void assertGivenBack() {
    Admission next = taken();
    assertThat(next.decision().orElseThrow().each().get(1).remaining()).isEqualTo(99_999);
  }

  @Test
  void grantStartsTheRequest() {
    List<Admission> started = new ArrayList<>();
    pending.mono().filter(admission -> pending.start()).subscribe(started::add);
    Admission admission = taken();
    future.complete(admission);
    assertThat(started).containsExactly(admission);
    assertThat(limiter.admit(REQUEST).allowed()).as("while the request runs").isFalse();
  }

  @Test
  void grantBeforeTheCancelButNotYetStartedIsGivenBack() {
    BaseSubscriber<Admission> request =
        new BaseSubscriber<>() {
          @Override
          protected void hookOnSubscribe(Subscription subscription) {
            // It asks for nothing yet.
          }
        };
    pending.mono().subscribe(request);
    future.complete(taken());
    request.cancel();
    assertThat(pending.start()).isFalse();
    assertGivenBack();
  }

  @Test
  void cancelBeforeTheGrantCancelsTheQuestion() {
    Disposable request = pending.mono().subscribe();
    request.dispose();
    assertThat(future).isCancelled();
    assertThat(pending.start()).isFalse();
    assertThat(dropped).isEmpty();
  }

  @Test
  void failureReachesTheRequest() {
    List<Throwable> failures = new ArrayList<>();
    pending.mono().subscribe(admission -> {}, failures::add);
    IllegalStateException failure = new IllegalStateException("on purpose");
    future.completeExceptionally(failure);
    assertThat(failures).containsExactly(failure);
  }

  /** Each round is a race of the grant against the cancel, with one permit for all of them. */
  @Test
  void racesLoseNoPermit() {
    for (int round = 0; round < 2_000; round++) {
      CompletableFuture<Admission> answer = new CompletableFuture<>();
      PendingAdmission raced = new PendingAdmission(answer);
      Disposable request =
          raced
              .mono()
              .flatMap(
                  admission ->
                      raced.start()
                          ? Mono.<Void>never().doFinally(signal -> admission.close())
                          : Mono.empty())
              .subscribe();
      Admission admission = limiter.admit(REQUEST);
      assertThat(admission.allowed()).as("round %s", round).isTrue();
      CompletableFuture<Void> cancel =
          CompletableFuture.runAsync(request::dispose, Schedulers.parallel()::schedule);
      if (!answer.complete(admission)) {
        admission.giveBack(); // as the limiter does
      }
      cancel.join();
    }
    assertThat(limiter.admit(REQUEST).allowed()).as("the only permit").isTrue();
    assertThat(dropped).isEmpty();
  }
}
