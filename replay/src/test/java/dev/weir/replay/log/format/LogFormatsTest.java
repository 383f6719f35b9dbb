package dev.weir.replay.log.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LogFormatsTest {
  @Test
  void wrongFormatsAreRefusedWithTheirPosition() {
    assertThatThrownBy(() -> LogFormats.named("combnied"))
        .hasMessageStartingWith("--format: combnied (expected: auto, nginx,");
    assertThatThrownBy(() -> LogFormats.nginx("$msec $request$status"))
        .hasMessage(
            "--log-format:15: status (expected: a character between it and request, which would end"
                + " nowhere)");
    assertThatThrownBy(() -> LogFormats.nginx("$remote_addr $request"))
        .hasMessage("--log-format: no time (expected: a format that has one)");
    assertThatThrownBy(() -> LogFormats.nginx("$msec $status"))
        .hasMessage("--log-format: no request line or path (expected: a format that has one)");
    assertThatThrownBy(() -> LogFormats.nginx("escape=xml '$msec'"))
        .hasMessage("--log-format: escape: xml (expected: default, json or none)");
    assertThatThrownBy(() -> LogFormats.nginx("'$msec \"$request\""))
        .hasMessage("--log-format:1: ' (expected: another one where the string ends)");
    assertThatThrownBy(() -> LogFormats.apache("%h %t \"%r\" %("))
        .hasMessage("--log-format:12: %( (expected: a field like %h or %{Referer}i)");
    assertThatThrownBy(() -> LogFormats.apache("%{%Q}t %r"))
        .hasMessageStartingWith("--log-format:1: time format: %Q (expected: %a %b");
    assertThatThrownBy(() -> LogFormats.envoy("%start%"))
        .hasMessageStartingWith("--log-format:1: %start% (expected: an operator");
    assertThatThrownBy(() -> LogFormats.json(Map.of("clinet", "ip")))
        .hasMessageStartingWith("field: clinet=ip (expected: time, end, client,");
    assertThatThrownBy(() -> LogFormats.of("json", "$msec", Map.of()))
        .hasMessageStartingWith("--format: json (expected: nginx, apache or envoy");
    assertThatThrownBy(() -> LogFormats.of("alb", null, Map.of("time", "t")))
        .hasMessage("--format: alb (expected: json, to which --field belongs)");
    assertThat(LogFormats.of("auto", null, Map.of())).isNull();
  }
}
