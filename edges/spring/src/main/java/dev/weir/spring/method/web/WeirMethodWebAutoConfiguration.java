package dev.weir.spring.method.web;

import dev.weir.spring.WeirAutoConfiguration;
import dev.weir.spring.WeirProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ControllerAdvice;

/** Answers requests whose controllers call a method that is denied: WebFlux and servlets. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnClass({ControllerAdvice.class, ProblemDetail.class})
@ConditionalOnProperty(name = "weir.enabled", matchIfMissing = true)
public class WeirMethodWebAutoConfiguration {

  /** The advice; declare one to replace it. */
  @Bean
  @ConditionalOnMissingBean
  RateLimitedAdvice weirRateLimitedAdvice(WeirProperties properties) {
    return new RateLimitedAdvice(properties);
  }
}
