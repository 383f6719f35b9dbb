package dev.weir.client.dispatch;

import dev.weir.client.dispatch.RequestNotSentException.Reason;
import dev.weir.client.header.Advertised;
import dev.weir.client.header.Quota;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the next request to one origin is sent, so that few are denied.
 *
 * <p><b>How.</b> Three things hold requests back, and the latest moment counts. (1) A denial: no
 * request is sent before {@code Retry-After} is over. (2) What the server advertises: {@link
 * QuotaMirror} counts down what is left, and spends the last fifth at an even pace. (3) What
 * denials teach: a limit may be shared with other clients, whose requests no header counts; {@link
 * AdaptiveSpacing} finds this client's share as TCP finds its share of a link. Every moment gets a
 * random part, as large as the time between requests: clients that a limit stopped at the same
 * moment do not go on at the same moment.
 *
 * <p><b>The queue.</b> Requests whose time has not come wait in the order in which they came; those
 * that are sent again go first, since they are the oldest. The number of those that wait is
 * bounded. A request whose turn would come too late for it is not sent, and its caller knows at
 * once; when a denial moves the turns, all are looked at again.
 *
 * <p><b>What it guarantees.</b> Nothing is held back for longer than {@code maxPause} and a random
 * time that is not longer, whatever a server says. No thread is blocked. Thread-safe.
 */
final class Pacer {
  private final String origin;
  private final DispatchSettings settings;
  private final Timers timers;
  private final RandomGenerator random;
  private final QuotaMirror quota = new QuotaMirror();
  private final AdaptiveSpacing adaptive;
  private final Deque<Turn> queue = new ArrayDeque<>();

  /** Requests in the queue, and those that wait before they are sent again. */
  private int waiting;

  private long sent;
  private long sentNanos;
  private long pausedUntilNanos;

  /** Between 0 and 1, anew for each request. */
  private double jitter;

  /** Between 0 and 1: at which moment of a window this client begins, in parts of its spacing. */
  private final double phase;

  private final NextTimer timer;

  Pacer(String origin, DispatchSettings settings, Timers timers, RandomGenerator random) {
    this.origin = origin;
    this.settings = settings;
    this.timers = timers;
    this.random = random;
    this.phase = random.nextDouble();
    long now = timers.nanos();
    this.adaptive = new AdaptiveSpacing(settings.maxPause().toNanos(), now);
    this.timer = new NextTimer(timers, this::onTimer);
    this.sentNanos = now;
    this.pausedUntilNanos = now;
  }

  /** The turn of a request, which may already have come, or failed. */
  Turn join(long deadlineNanos) {
    Turn turn = new Turn(deadlineNanos);
    if (!settings.pacing()) {
      turn.complete(null);
      return turn;
    }
    List<Runnable> others = new ArrayList<>();
    List<Runnable> own = new ArrayList<>();
    synchronized (this) {
      long now = timers.nanos();
      sendDue(now, others);
      if (queue.isEmpty() && nextNanos() - now <= 0) {
        send(turn, now, own);
      } else {
        enqueue(turn, own);
      }
      setTimer(now);
    }
    runElsewhere(others);
    own.forEach(Runnable::run);
    return leaveIfCancelled(turn);
  }

  /** Those that wait already stay where they are: only the new one is looked at. */
  private void enqueue(Turn turn, List<Runnable> effects) {
    long start = startNanos(queue.size());
    if (waiting >= settings.maxWaiting()) {
      refuse(turn, Reason.QUEUE_FULL, start, effects);
    } else if (start - turn.latestNanos > 0) {
      refuse(turn, Reason.LIMIT, start, effects);
    } else {
      enter(turn);
      queue.addLast(turn);
    }
  }

  /** The turn of a request that is sent again; null if it may not wait, or is not allowed to. */
  @Nullable Turn rejoin(long waitNanos, long deadlineNanos, BooleanSupplier allowed) {
    Turn turn = new Turn(deadlineNanos);
    synchronized (this) {
      long now = timers.nanos();
      long start = settings.pacing() ? Math.max(waitNanos, startNanos(0) - now) : waitNanos;
      if (waiting >= settings.maxWaiting()
          || now + start - deadlineNanos > 0
          || !allowed.getAsBoolean()) {
        return null;
      }
      enter(turn);
    }
    Runnable cancel = timers.schedule(waitNanos, () -> joinFirst(turn));
    var unused = turn.whenComplete((done, failure) -> cancel.run());
    return leaveIfCancelled(turn);
  }

  private void joinFirst(Turn turn) {
    List<Runnable> effects = new ArrayList<>();
    synchronized (this) {
      if (turn.waits) {
        queue.addFirst(turn);
        drain(effects);
      }
    }
    effects.forEach(Runnable::run);
  }

  private Turn leaveIfCancelled(Turn turn) {
    var unused =
        turn.whenComplete(
            (done, failure) -> {
              if (turn.isCancelled()) {
                leave(turn);
              }
            });
    return turn;
  }

  private void leave(Turn turn) {
    List<Runnable> effects = new ArrayList<>();
    synchronized (this) {
      if (turn.waits) {
        queue.remove(turn);
        exit(turn);
        drain(effects);
      }
    }
    runElsewhere(effects);
  }

  private void enter(Turn turn) {
    turn.waits = true;
    waiting++;
  }

  private void exit(Turn turn) {
    turn.waits = false;
    waiting--;
  }

  /** Learns from a response. */
  void onResponse(Turn turn, boolean denied, Advertised advertised) {
    if (!settings.pacing()) {
      return;
    }
    List<Runnable> effects = new ArrayList<>();
    synchronized (this) {
      long now = timers.nanos();
      Optional<Quota> tightest = advertised.quotas().stream().max(QuotaMirror.TIGHTNESS);
      tightest.ifPresent(it -> quota.update(it, sent - turn.number - 1, now));
      if (denied) {
        long wait = Math.min(advertised.waitNanos(), settings.maxPause().toNanos());
        // A limit that is not spent has not denied the request: its pace says nothing.
        boolean spent = tightest.filter(it -> it.remaining() == 0).isPresent();
        adaptive.onDenied(turn.sentNanos, now, spent ? quota.usualNanos() : 0, wait);
        long until = now + wait + (long) (random.nextDouble() * adaptive.nanos());
        if (until - pausedUntilNanos > 0) {
          pausedUntilNanos = until;
        }
      } else {
        adaptive.onAdmitted(now);
      }
      drain(effects);
    }
    runElsewhere(effects);
  }

  /** Completes turns of other callers, whose code must not run on the thread of this one. */
  private void runElsewhere(List<Runnable> effects) {
    if (!effects.isEmpty()) {
      timers.execute(() -> effects.forEach(Runnable::run));
    }
  }

  /** When the next request may be sent. */
  private long nextNanos() {
    long between = betweenNanos();
    long next = later(sentNanos + between / 2 + (long) (jitter * between), pausedUntilNanos);
    if (quota.isSpent()) {
      long wait = Math.min(quota.resetNanos() - sentNanos, settings.maxPause().toNanos());
      next = later(next, sentNanos + wait + (long) (phase * quota.usualNanos() / 2));
    }
    return next;
  }

  /** The time between requests, on average. */
  private long betweenNanos() {
    // Once nothing is left, the moment when there is more says all.
    long advertised =
        quota.isSpent()
            ? 0
            : Math.min(quota.spacingNanos(sentNanos), settings.maxPause().toNanos());
    return Math.max(advertised, adaptive.nanos());
  }

  private static long later(long aNanos, long bNanos) {
    return aNanos - bNanos > 0 ? aNanos : bNanos;
  }

  /** When the request at a position of the queue may probably be sent. */
  private long startNanos(int position) {
    return later(nextNanos(), timers.nanos()) + position * betweenNanos();
  }

  /** Sends what may be sent, refuses what would wait too long, and sets the timer for the rest. */
  private void drain(List<Runnable> effects) {
    long now = timers.nanos();
    sendDue(now, effects);
    int position = 0;
    for (Iterator<Turn> turns = queue.iterator(); turns.hasNext(); ) {
      Turn turn = turns.next();
      long start = startNanos(position);
      if (start - turn.latestNanos > 0) {
        turns.remove();
        exit(turn);
        refuse(turn, Reason.LIMIT, start, effects);
      } else {
        position++;
      }
    }
    setTimer(now);
  }

  private void sendDue(long now, List<Runnable> effects) {
    while (!queue.isEmpty() && nextNanos() - now <= 0) {
      Turn turn = queue.removeFirst();
      exit(turn);
      send(turn, now, effects);
    }
  }

  private void send(Turn turn, long now, List<Runnable> effects) {
    turn.number = sent++;
    turn.sentNanos = now;
    quota.onSend(now);
    adaptive.onSend(sentNanos, now);
    sentNanos = now;
    jitter = random.nextDouble();
    effects.add(() -> turn.complete(null));
  }

  private void setTimer(long now) {
    if (!queue.isEmpty()) {
      timer.set(nextNanos(), now);
    }
  }

  private void onTimer(long number) {
    List<Runnable> effects = new ArrayList<>();
    synchronized (this) {
      if (timer.fired(number)) {
        drain(effects);
      }
    }
    effects.forEach(Runnable::run);
  }

  private void refuse(Turn turn, Reason reason, long startNanos, List<Runnable> effects) {
    Duration retryAfter = Duration.ofNanos(Math.max(0, startNanos - timers.nanos()));
    RequestNotSentException refused = new RequestNotSentException(origin, reason, retryAfter);
    effects.add(() -> turn.completeExceptionally(refused));
  }

  synchronized int waiting() {
    return waiting;
  }
}
