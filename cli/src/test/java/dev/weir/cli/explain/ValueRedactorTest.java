package dev.weir.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ValueRedactorTest {
  @Test
  void shortSecretsAreRedactedCompletely() {
    ValueRedactor redactor = new ValueRedactor(false);
    assertThat(redactor.redacted("header x", "1234567")).isEqualTo("… (7 characters)");
    assertThat(redactor.redacted("cookie x", "12345678")).isEqualTo("12… (8 characters)");
    assertThat(redactor.redacted("path", "/login")).isEqualTo("/login");
    assertThat(redactor.redacted("jwt sub", null)).isEqualTo("absent");
    assertThat(new ValueRedactor(true).redacted("jwt sub", "me")).isEqualTo("me");
  }
}
