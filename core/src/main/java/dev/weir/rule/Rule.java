package dev.weir.rule;

import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.guard.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What operators write: which requests, counted by whom, how much of them. */
public final class Rule {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /** Rollouts are counted in hundredths of a percent. */
  public static final int WHOLE = 10_000;

  /** What happens to a request while the store cannot answer. */
  public enum WhenStoreFails {
    ALLOW,
    DENY,
    LOCAL
  }

  /** What a rule does where a part of its identity is absent. */
  public enum WhenAbsent {
    /** All requests without it are counted together, so that leaving it out gains nothing. */
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
  private final List<Special> specials;
  private final Cost cost;
  private final WhenStoreFails whenStoreFails;
  private final Mode mode;
  private final int enforced;

  private Rule(Builder builder) {
    this.name = builder.name;
    this.match = List.copyOf(builder.match);
    this.per = List.copyOf(builder.per);
    this.whenAbsent = builder.whenAbsent;
    this.allowance = builder.allowance;
    this.tiers = builder.tiers;
    this.specials = List.copyOf(builder.specials);
    this.cost = builder.cost;
    this.whenStoreFails = builder.whenStoreFails;
    this.mode = builder.mode;
    this.enforced = builder.enforced;
  }

  /** Starts a rule that applies to every request and counts them together. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  public String name() {
    return name;
  }

  /** All of these must hold for the rule to apply. */
  public List<Condition> match() {
    return match;
  }

  /** Who gets a counter; nobody in particular if empty. */
  public List<Identity> per() {
    return per;
  }

  public WhenAbsent whenAbsent() {
    return whenAbsent;
  }

  /** What everybody is allowed, unless {@link #tiers()} says. */
  public Allowance allowance() {
    return allowance;
  }

  public Optional<Tiers> tiers() {
    return Optional.ofNullable(tiers);
  }

  /** Exceptions for particular callers; the first that fits counts. */
  public List<Special> specials() {
    return specials;
  }

  public Cost cost() {
    return cost;
  }

  public WhenStoreFails whenStoreFails() {
    return whenStoreFails;
  }

  /** How exactly servers keep the limits together. */
  public Mode mode() {
    return mode;
  }

  /** What of a limit each server keeps to: a part, where it keeps to that by itself. */
  public Limit kept(Limit limit) {
    return mode.isLocal() ? Share.of(limit, mode.share()) : limit;
  }

  /** Of how many callers in {@link #WHOLE} the rule is enforced; the others it only watches. */
  public int enforced() {
    return enforced;
  }

  /** Every allowance the rule may give to somebody. */
  public List<Allowance> allowances() {
    List<Allowance> all = new ArrayList<>();
    if (tiers == null) {
      all.add(allowance);
    } else {
      all.addAll(tiers.tiers().values());
    }
    specials.forEach(special -> all.add(special.allowance()));
    return all;
  }

  @Override
  public String toString() {
    return name;
  }

  /** Makes a rule. */
  public static final class Builder {
    private final String name;
    private final List<Condition> match = new ArrayList<>();
    private List<Identity> per = List.of();
    private WhenAbsent whenAbsent = WhenAbsent.SHARE;
    private Allowance allowance = Allowance.UNLIMITED;
    private @Nullable Tiers tiers;
    private final List<Special> specials = new ArrayList<>();
    private Cost cost = Cost.ONE;
    private WhenStoreFails whenStoreFails = WhenStoreFails.ALLOW;
    private Mode mode = Mode.STRICT;
    private int enforced = WHOLE;

    private Builder(String name) {
      if (!NAME.matcher(name).matches()) {
        String expected = "letters, digits, dots, dashes, underscores; at most 100";
        throw new IllegalArgumentException("name: " + name + " (expected: " + expected + ")");
      }
      this.name = name;
    }

    public Builder match(Condition... conditions) {
      match.addAll(Arrays.asList(conditions));
      return this;
    }

    public Builder per(Identity... identities) {
      this.per = List.of(identities);
      return this;
    }

    public Builder whenAbsent(WhenAbsent whenAbsent) {
      this.whenAbsent = Objects.requireNonNull(whenAbsent);
      return this;
    }

    public Builder limit(Limit... limits) {
      return allow(Allowance.of(limits));
    }

    public Builder allow(Allowance allowance) {
      this.allowance = Objects.requireNonNull(allowance);
      return this;
    }

    public Builder tiers(@Nullable Tiers tiers) {
      this.tiers = tiers;
      return this;
    }

    public Builder special(Special... more) {
      specials.addAll(Arrays.asList(more));
      return this;
    }

    public Builder cost(Cost cost) {
      this.cost = Objects.requireNonNull(cost);
      return this;
    }

    public Builder whenStoreFails(WhenStoreFails whenStoreFails) {
      this.whenStoreFails = Objects.requireNonNull(whenStoreFails);
      return this;
    }

    public Builder mode(Mode mode) {
      this.mode = Objects.requireNonNull(mode);
      return this;
    }

    /** Of how many callers in {@link #WHOLE} the rule is enforced; 0 is shadow mode. */
    public Builder enforced(int enforced) {
      if (enforced < 0 || enforced > WHOLE) {
        String expected = "between 0 and " + WHOLE;
        throw new IllegalArgumentException(
            "enforced: " + enforced + " (expected: " + expected + ")");
      }
      this.enforced = enforced;
      return this;
    }

    public Rule build() {
      return new Rule(this);
    }
  }
}
