package dev.weir.rule;

import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.guard.Share;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What operators write: which requests, counted by whom, how much of them. */
public final class Rule {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /** Rollouts are counted in hundredths of a percent. */
  public static final int WHOLE = 10_000;

  /** The HTTP status for callers that are blocked, unless the rule says {@link #FORBIDDEN}. */
  public static final int TOO_MANY_REQUESTS = 429;

  /** The other one: for callers who are not welcome, rather than too many. */
  public static final int FORBIDDEN = 403;

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
  private final int applied;
  private final int blockedStatus;

  /** What each multiple makes of each allowance that it may be a multiple of. */
  private final Map<Multiple, IdentityHashMap<Allowance, Allowance>> multiples = new HashMap<>();

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
    this.enforced = Math.min(builder.enforced, builder.applied);
    this.applied = builder.applied;
    this.blockedStatus = builder.blockedStatus;
    for (Special special : specials) {
      if (special.entitlement() instanceof Multiple multiple) {
        multiples.computeIfAbsent(multiple, this::ofEach);
      }
    }
  }

  private IdentityHashMap<Allowance, Allowance> ofEach(Multiple multiple) {
    IdentityHashMap<Allowance, Allowance> each = new IdentityHashMap<>();
    usual().forEach(allowance -> each.put(allowance, multiple.of(allowance)));
    return each;
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

  /**
   * Of how many callers in {@link #WHOLE} the rule takes notice; for the others it is not there.
   */
  public int applied() {
    return applied;
  }

  /** The HTTP status for callers that the rule blocks. */
  public int blockedStatus() {
    return blockedStatus;
  }

  /** Every allowance the rule may give to somebody. */
  public List<Allowance> allowances() {
    List<Allowance> all = new ArrayList<>(usual());
    for (Special special : specials) {
      if (special.entitlement() instanceof Allowance own) {
        all.add(own);
      }
    }
    multiples.values().forEach(each -> all.addAll(each.values()));
    return all;
  }

  /** What callers get who are no exception, each once. */
  private List<Allowance> usual() {
    return tiers == null ? List.of(allowance) : tiers.allowances();
  }

  /** A multiple, of those among the exceptions, of one of the usual allowances. */
  Allowance times(Multiple multiple, Allowance usual) {
    return Objects.requireNonNull(Objects.requireNonNull(multiples.get(multiple)).get(usual));
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
    private WhenStoreFails whenStoreFails = WhenStoreFails.LOCAL;
    private Mode mode = Mode.STRICT;
    private int enforced = WHOLE;
    private int applied = WHOLE;
    private int blockedStatus = TOO_MANY_REQUESTS;

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
      this.enforced = share("enforced", enforced);
      return this;
    }

    /** Of how many callers in {@link #WHOLE} the rule takes notice at all. */
    public Builder applied(int applied) {
      this.applied = share("applied", applied);
      return this;
    }

    private static int share(String field, int share) {
      if (share < 0 || share > WHOLE) {
        throw refused(field, share, "between 0 and " + WHOLE);
      }
      return share;
    }

    /** {@link #TOO_MANY_REQUESTS} if not said, or {@link #FORBIDDEN}. */
    public Builder blockedStatus(int status) {
      if (status != TOO_MANY_REQUESTS && status != FORBIDDEN) {
        throw refused("blockedStatus", status, FORBIDDEN + " or " + TOO_MANY_REQUESTS);
      }
      this.blockedStatus = status;
      return this;
    }

    private static IllegalArgumentException refused(String field, int value, String expected) {
      return new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
    }

    public Rule build() {
      return new Rule(this);
    }
  }
}
