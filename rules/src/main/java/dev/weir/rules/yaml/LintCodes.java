package dev.weir.rules.yaml;

import java.util.Set;

/** The codes of warnings, which a rules file may list under {@code lint-ignore}. */
public final class LintCodes {
  /** A pattern, a condition or an exception that no request matches. */
  public static final String NEVER_MATCHES = "never-matches";

  /** A request that costs more than the limit has room for. */
  public static final String BURST_BELOW_COST = "burst-below-cost";

  /** A caller, a tier or a cost that clients can choose freely. */
  public static final String FORGEABLE_KEY = "forgeable-key";

  /** An approximate algorithm that guards a login. */
  public static final String WEAK_LOGIN_LIMIT = "weak-login-limit";

  /** Two limits that count the same requests in the same window. */
  public static final String COUNTED_TWICE = "counted-twice";

  /** An exception for a name that any client can claim. */
  public static final String CLAIMABLE_NAME = "claimable-name";

  /** A concurrency limit, which works only where the end of requests is reported. */
  public static final String NEEDS_RELEASE = "needs-release";

  /** A value or a cost that only a gateway can read. */
  public static final String NEEDS_GATEWAY = "needs-gateway";

  /** A value or a section that only an application with Weir inside it can use. */
  public static final String NEEDS_APPLICATION = "needs-application";

  /** A range of trusted proxies that contains foreign addresses. */
  public static final String TRUSTS_STRANGERS = "trusts-strangers";

  /** A trusted header that every trusted proxy must set or remove. */
  public static final String PROXY_MUST_SET = "proxy-must-set";

  /** A limit that the rule's mode cannot lease, and so counts strictly. */
  public static final String COUNTED_STRICTLY = "counted-strictly";

  /** A {@code when-store-fails} on a rule that never uses the store. */
  public static final String STORE_NOT_ASKED = "store-not-asked";

  /** A field that has no effect where it is written. */
  public static final String IGNORED_FIELD = "ignored-field";

  /** A {@code rate_limit} without {@code requests_per_unit}. */
  public static final String BLOCKS_EVERYTHING = "blocks-everything";

  /** A rule, a descriptor or a file that limits nothing. */
  public static final String NO_LIMIT = "no-limit";

  /** A {@code value} without content, which matches every value. */
  public static final String EMPTY_VALUE = "empty-value";

  /** A {@code replaces} that names no limit of the domain. */
  public static final String DANGLING_REPLACES = "dangling-replaces";

  /** A repeated key, of which only the last counts. */
  public static final String KEY_TWICE = "key-twice";

  /** A number that a leading zero makes octal. */
  public static final String OCTAL_NUMBER = "octal-number";

  /** A method that is not in the IANA registry. */
  public static final String UNKNOWN_METHOD = "unknown-method";

  /** A candidate that is in force for all callers, or equal to the limits in force. */
  public static final String REDUNDANT_CANDIDATE = "redundant-candidate";

  /** An upstream that no route leads to. */
  public static final String UNUSED_UPSTREAM = "unused-upstream";

  /** The codes of warnings about rules files. */
  public static final Set<String> OF_RULES =
      Set.of(
          NEVER_MATCHES,
          BURST_BELOW_COST,
          FORGEABLE_KEY,
          WEAK_LOGIN_LIMIT,
          COUNTED_TWICE,
          CLAIMABLE_NAME,
          NEEDS_RELEASE,
          NEEDS_GATEWAY,
          NEEDS_APPLICATION,
          UNKNOWN_METHOD,
          NO_LIMIT,
          TRUSTS_STRANGERS,
          PROXY_MUST_SET,
          COUNTED_STRICTLY,
          STORE_NOT_ASKED,
          REDUNDANT_CANDIDATE,
          UNUSED_UPSTREAM);

  /** The codes of warnings about files in the format of Envoy's rate limit service. */
  public static final Set<String> OF_ENVOY =
      Set.of(
          IGNORED_FIELD,
          BLOCKS_EVERYTHING,
          NO_LIMIT,
          EMPTY_VALUE,
          DANGLING_REPLACES,
          KEY_TWICE,
          OCTAL_NUMBER,
          NEVER_MATCHES);

  private LintCodes() {}
}
