package dev.weir.rule;

import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.internal.Rejections;
import dev.weir.rule.condition.Condition;
import dev.weir.shared.fleet.LimitScaler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule as operators write it: which requests it matches, how it identifies callers, and what it
 * allows them. Immutable and safe for use by any number of threads.
 */
public final class Rule {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /** All callers, in hundredths of a percent: the unit of rollouts. */
  public static final int WHOLE = 10_000;

  /** The default HTTP status for blocked callers. */
  public static final int TOO_MANY_REQUESTS = 429;

  /** The other HTTP status for blocked callers, for those that are unwelcome at any rate. */
  public static final int FORBIDDEN = 403;

  /** What a rule does with a request that lacks a part of the identity. */
  public enum WhenAbsent {
    /**
     * All such requests share a counter, so that a client gains nothing by leaving the part out.
     */
    SHARE,
    /** The rule does not apply. */
    SKIP
  }

  private final String name;
  private final List<Condition> match;
  private final List<Identity> per;
  private final WhenAbsent whenAbsent;
  private final Allowance allowance;
  private final @Nullable Tiers tiers;
  private final List<CallerOverride> overrides;
  private final Cost cost;
  private final FailureMode failureMode;
  private final Mode mode;
  private final int enforced;
  private final int applied;
  private final int blockedStatus;
  private final @Nullable Candidate candidate;
  private final RuleAllowances grants;

  private Rule(Builder builder) {
    this.name = builder.name;
    this.match = List.copyOf(builder.match);
    this.per = List.copyOf(builder.per);
    this.whenAbsent = builder.whenAbsent;
    this.allowance = builder.allowance;
    this.tiers = builder.tiers;
    this.overrides = List.copyOf(builder.overrides);
    this.cost = builder.cost;
    this.failureMode = builder.failureMode;
    this.mode = builder.mode;
    this.enforced = Math.min(builder.enforced, builder.applied);
    this.applied = builder.applied;
    this.blockedStatus = builder.blockedStatus;
    this.candidate = builder.candidate;
    candidate().ifPresent(one -> one.check(allowance, tiers(), cost));
    this.grants = new RuleAllowances(allowance, tiers(), overrides, candidate());
  }

  /**
   * Starts a rule that applies to every request and counts all requests together.
   *
   * @throws IllegalArgumentException if the name is malformed
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** The unique name of the rule. */
  public String name() {
    return name;
  }

  /** The conditions, all of which must hold for the rule to apply. */
  public List<Condition> match() {
    return match;
  }

  /** The identities that get a counter each; if empty, all callers share one. */
  public List<Identity> per() {
    return per;
  }

  /** What happens to requests that lack a part of the identity. */
  public WhenAbsent whenAbsent() {
    return whenAbsent;
  }

  /** The allowance of all callers, unless there are {@link #tiers()}. */
  public Allowance allowance() {
    return allowance;
  }

  /** The allowances by tier. */
  public Optional<Tiers> tiers() {
    return Optional.ofNullable(tiers);
  }

  /** Exceptions for particular callers; the first match counts. */
  public List<CallerOverride> overrides() {
    return overrides;
  }

  /** How many permits a request needs. */
  public Cost cost() {
    return cost;
  }

  /** What happens to a request while the store cannot answer. */
  public FailureMode failureMode() {
    return failureMode;
  }

  /** How exactly the limits are kept across servers. */
  public Mode mode() {
    return mode;
  }

  /** The limit that one server enforces: a part of it in a local mode, else the limit itself. */
  public Limit perServer(Limit limit) {
    return mode.isLocal() ? LimitScaler.of(limit, mode.share()) : limit;
  }

  /** For how many callers in {@link #WHOLE} the rule is enforced; for others it is a shadow. */
  public int enforced() {
    return enforced;
  }

  /** For how many callers in {@link #WHOLE} the rule applies; others it ignores. */
  public int applied() {
    return applied;
  }

  /** The HTTP status for callers that the rule blocks. */
  public int blockedStatus() {
    return blockedStatus;
  }

  /** Limits that are judged beside those of the rule. */
  public Optional<Candidate> candidate() {
    return Optional.ofNullable(candidate);
  }

  /** Every allowance that the rule may grant, without its candidate. */
  public List<Allowance> allowances() {
    return grants.ofRule();
  }

  /** Every allowance that the candidate may grant. */
  public List<Allowance> candidateAllowances() {
    return grants.ofCandidate();
  }

  /** A multiple, from one of the overrides, of a usual allowance or of the candidate's. */
  public Allowance times(Multiple multiple, Allowance usual) {
    return grants.times(multiple, usual);
  }

  @Override
  public String toString() {
    return name;
  }

  /** Builds a rule. Not safe for use by several threads. */
  public static final class Builder {
    private final String name;
    private final List<Condition> match = new ArrayList<>();
    private List<Identity> per = List.of();
    private WhenAbsent whenAbsent = WhenAbsent.SHARE;
    private Allowance allowance = Allowance.UNLIMITED;
    private @Nullable Tiers tiers;
    private final List<CallerOverride> overrides = new ArrayList<>();
    private Cost cost = Cost.ONE;
    private FailureMode failureMode = FailureMode.LOCAL;
    private Mode mode = Mode.STRICT;
    private int enforced = WHOLE;
    private int applied = WHOLE;
    private int blockedStatus = TOO_MANY_REQUESTS;
    private @Nullable Candidate candidate;

    private Builder(String name) {
      if (!NAME.matcher(name).matches()) {
        String expected = "letters, digits, dots, dashes, underscores; at most 100";
        throw Rejections.of("name", name, expected);
      }
      this.name = name;
    }

    /** Adds conditions, all of which must hold. */
    public Builder match(Condition... conditions) {
      match.addAll(Arrays.asList(conditions));
      return this;
    }

    /** Gives each combination of these identities its own counter. */
    public Builder per(Identity... identities) {
      this.per = List.of(identities);
      return this;
    }

    /** {@link WhenAbsent#SHARE} by default. */
    public Builder whenAbsent(WhenAbsent whenAbsent) {
      this.whenAbsent = Objects.requireNonNull(whenAbsent);
      return this;
    }

    /** Allows callers these limits, all of which apply. */
    public Builder limit(Limit... limits) {
      return allow(Allowance.of(limits));
    }

    /** The allowance of callers; {@link Allowance#UNLIMITED} by default. */
    public Builder allow(Allowance allowance) {
      this.allowance = Objects.requireNonNull(allowance);
      return this;
    }

    /** Allowances by tier instead of one for all; null for none. */
    public Builder tiers(@Nullable Tiers tiers) {
      this.tiers = tiers;
      return this;
    }

    /** Adds exceptions for particular callers. */
    public Builder override(CallerOverride... more) {
      overrides.addAll(Arrays.asList(more));
      return this;
    }

    /** {@link Cost#ONE} by default. */
    public Builder cost(Cost cost) {
      this.cost = Objects.requireNonNull(cost);
      return this;
    }

    /** {@link FailureMode#LOCAL} by default. */
    public Builder failureMode(FailureMode whenStoreFails) {
      this.failureMode = Objects.requireNonNull(whenStoreFails);
      return this;
    }

    /** {@link Mode#STRICT} by default. */
    public Builder mode(Mode mode) {
      this.mode = Objects.requireNonNull(mode);
      return this;
    }

    /** For how many callers in {@link #WHOLE} the rule is enforced; 0 is shadow mode. */
    public Builder enforced(int enforced) {
      this.enforced = (int) Rejections.between("enforced", enforced, 0, WHOLE);
      return this;
    }

    /** For how many callers in {@link #WHOLE} the rule applies at all. */
    public Builder applied(int applied) {
      this.applied = (int) Rejections.between("applied", applied, 0, WHOLE);
      return this;
    }

    /** {@link #TOO_MANY_REQUESTS} by default, or {@link #FORBIDDEN}. */
    public Builder blockedStatus(int status) {
      if (status != TOO_MANY_REQUESTS && status != FORBIDDEN) {
        throw Rejections.of("blockedStatus", status, FORBIDDEN + " or " + TOO_MANY_REQUESTS);
      }
      this.blockedStatus = status;
      return this;
    }

    /** Limits to be judged beside those of the rule; null for none. */
    public Builder candidate(@Nullable Candidate candidate) {
      this.candidate = candidate;
      return this;
    }

    /** The rule; throws IllegalArgumentException for an unsuitable multiple or candidate. */
    public Rule build() {
      return new Rule(this);
    }
  }
}
