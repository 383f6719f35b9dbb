package dev.weir.server.rls;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Gets the reply to one request with the limit that decided it. Called by any thread: be quick. */
@FunctionalInterface
public interface RlsObserver {
  /** Is not interested, so that the limit need not be found. */
  RlsObserver NONE = (reply, limit) -> {};

  /**
   * A request was decided.
   *
   * @param limit that decided; null if no limit applied
   */
  void onReply(RlsReply reply, @Nullable DecidingLimit limit);

  /**
   * The limit that denied a request, or has the least left.
   *
   * @param rule its path in the configuration, or the name of one of our own rules; no value that a
   *     client sent is in it, unless the rules name that value
   * @param caller the hash of whom it counts; empty if it counts nobody, because nothing may pass
   * @param resetMicros until a denied request may be retried, or the counter is as if never used
   */
  record DecidingLimit(String rule, OptionalLong caller, long remaining, long resetMicros) {
    /** Finds the limit among those of all descriptors. */
    static @Nullable DecidingLimit of(List<DescriptorCheck> descriptors, boolean denied) {
      LimitCheck decisive = null;
      DescriptorCheck owner = null;
      for (DescriptorCheck descriptor : descriptors) {
        for (LimitCheck check : descriptor.checks) {
          // A quota that is used up denies nothing while another has room.
          boolean counts = denied || !check.isOver();
          if (counts && (decisive == null || check.outranks(decisive))) {
            decisive = check;
            owner = descriptor;
          }
        }
      }
      return decisive == null || owner == null ? null : of(decisive, owner);
    }

    private static DecidingLimit of(LimitCheck check, DescriptorCheck owner) {
      OptionalLong caller =
          check.isBlocked() ? OptionalLong.empty() : OptionalLong.of(check.claim().key().high());
      return new DecidingLimit(name(check, owner), caller, check.remaining(), check.resetMicros());
    }

    private static String name(LimitCheck check, DescriptorCheck owner) {
      if (check.rule != null) {
        return check.rule.name();
      }
      return owner.domainMatch == null ? RlsListener.OVERRIDE : owner.domainMatch.rule().path();
    }
  }
}
