package dev.weir.limiter;

/** Whether the limits of a rule and those of its candidate decide the same about a request. */
public enum Agreement {
  /** Both let it pass. */
  BOTH_ALLOW,
  /** Both deny it. */
  BOTH_DENY,
  /** Only the candidate denies it. */
  CANDIDATE_DENIES,
  /** Only the candidate lets it pass. */
  CANDIDATE_ALLOWS;

  /** The agreement of two verdicts. */
  static Agreement of(boolean limitAllows, boolean candidateAllows) {
    if (limitAllows) {
      return candidateAllows ? BOTH_ALLOW : CANDIDATE_DENIES;
    }
    return candidateAllows ? CANDIDATE_ALLOWS : BOTH_DENY;
  }
}
