package dev.weir.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the reason and the remedy of a start that Weir refused, without a stack trace. */
final class WeirFailureAnalyzer extends AbstractFailureAnalyzer<WeirStartupException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, WeirStartupException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
  }
}
