package dev.weir.replay.log.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.format.LogFormats;
import dev.weir.replay.log.line.LogFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lines as servers write them, and what they say. */
class FormatLinesTest {
  private static LogEntry read(LogFormat format, String line) throws IOException {
    byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
    return Logs.read(ReadOptions.defaults().withFormat(format), bytes).only();
  }

  private static Instant arrival(LogEntry entry) {
    return Instant.EPOCH.plusNanos(entry.arrivalMicros() * 1_000);
  }

  private static String all(LogEntry e) {
    String duration = e.durationMicros().isEmpty() ? "-" : e.durationMicros().getAsLong() + "";
    return String.join(
        " ",
        arrival(e).toString(),
        e.resolutionMicros() + "",
        duration,
        e.method(),
        e.target(),
        e.authority() + "",
        e.peer() + "",
        e.principal() + "",
        e.status() + "");
  }

  @Test
  void combined() throws IOException {
    LogEntry entry =
        Logs.read(
                "203.0.113.9 - ann [10/Oct/2026:13:55:36 +0200] \"GET /a%20b?q=1 HTTP/1.1\" 200 23"
                    + " \"https://e.org/\\x22x\" \"curl/8 \\\"q\\\" \\\\\"\n")
            .only();
    assertThat(all(entry))
        .isEqualTo("2026-10-10T11:55:36Z 1000000 - GET /a%20b?q=1 null 203.0.113.9 ann 200");
    assertThat(entry.headers("Referer")).containsExactly("https://e.org/\"x");
    assertThat(entry.headers("USER-AGENT")).containsExactly("curl/8 \"q\" \\");
    assertThat(entry.headers("x-plan")).isEmpty();
    assertThat(entry.field("%b")).isEqualTo("23");
  }

  @Test
  void otherFormatsOfApache() throws IOException {
    assertThat(
            all(
                Logs.read("h.example - - [10/Oct/2026:13:55:36 -0700] \"GET / HTTP/1.0\" 304 -")
                    .only()))
        .isEqualTo("2026-10-10T20:55:36Z 1000000 - GET / null h.example null 304");
    String vhost =
        "a.example:443 ::1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"x\"";
    assertThat(all(Logs.read(vhost).only()))
        .isEqualTo("2026-10-10T13:55:36Z 1000000 - GET / a.example ::1 null 200");
    LogFormat parts =
        LogFormats.apache(
            "LogFormat \"%a [%{%d/%b/%Y:%H:%M:%S}t.%{usec_frac}t %{%z}t] %m %U%q %>s %D %{Host}i"
                + " \\\"%{X-Plan}i\\\"\" mine");
    LogEntry entry =
        read(
            parts,
            "10.0.0.1 [05/Feb/2026:01:02:03.000456 -0130] POST /p?x=1 201 2500 h.org \"gold\"");
    assertThat(all(entry))
        .isEqualTo("2026-02-05T02:32:03.000456Z 1 2500 POST /p?x=1 h.org 10.0.0.1 null 201");
    assertThat(entry.headers("x-plan")).containsExactly("gold");
    LogFormat end = LogFormats.apache("%h %{end:msec}t %{ms}T \"%r\" %s");
    assertThat(all(read(end, "1.1.1.1 1770000000500 250 \"GET /x HTTP/2.0\" 200")))
        .isEqualTo("2026-02-02T02:40:00.250Z 1000 250000 GET /x null 1.1.1.1 null 200");
  }

  @Test
  void formatsOfNginxSayWhenTheRequestArrived() throws IOException {
    LogFormat main =
        LogFormats.nginx(
            """
            log_format main '$remote_addr [$time_local] $msec $request_time '
                            '"$request" $status $upstream_addr $upstream_response_time '
                            '"$http_user_agent" "$http_x_forwarded_for" $host ${request_length}';
            """);
    LogEntry entry =
        read(
            main,
            "1.2.3.4 [10/Oct/2026:13:55:36 +0000] 1791640536.750 0.250 \"GET /a\\x22 HTTP/1.1\" 200"
                + " 10.0.0.1:80, 10.0.0.2:80 : 10.0.0.3:80 0.001, 0.002 : - \"ua\" \"-\" a.example"
                + " 77");
    assertThat(all(entry))
        .isEqualTo("2026-10-10T13:55:36.500Z 1000 250000 GET /a\" a.example 1.2.3.4 null 200");
    assertThat(entry.field("request_length")).isEqualTo("77");
    assertThat(entry.field("upstream_response_time")).isEqualTo("0.001, 0.002 : -");
    assertThat(entry.headers("x-forwarded-for")).isEmpty();
    LogFormat json =
        LogFormats.nginx(
            "escape=json '{\"t\":\"$time_iso8601\",\"d\":$request_time,\"m\":\"$request_method\","
                + "\"u\":\"$request_uri\",\"s\":$status,\"c\":\"$remote_addr\",\"ua\":\"$http_user_agent\"}'");
    entry =
        read(
            json,
            "{\"t\":\"2026-10-10T13:55:36+02:00\",\"d\":1.001,\"m\":\"GET\",\"u\":\"/\\\"\\u0001\",\"s\":200,"
                + "\"c\":\"::1\",\"ua\":\"\"}");
    assertThat(all(entry))
        .isEqualTo("2026-10-10T11:55:34.999Z 1000000 1001000 GET /\"\u0001 null ::1 null 200");
  }

  @Test
  void envoy() throws IOException {
    LogEntry entry =
        Logs.read(
                "[2026-04-15T20:17:00.310Z] \"POST /api/v1/x?y=1 HTTP/2\" 204 - 154 0 226 100"
                    + " \"10.0.35.28, 10.9.8.7\" \"nsq2http \\ \"q\"\" \"cc21d9b0\" \"locations\""
                    + " \"tcp://10.0.2.1:80\"")
            .only();
    assertThat(all(entry))
        .isEqualTo(
            "2026-04-15T20:17:00.310Z 1000 226000 POST /api/v1/x?y=1 locations 10.9.8.7 null 204");
    assertThat(entry.headers("user-agent")).containsExactly("nsq2http \\ \"q\"");
    entry =
        Logs.read(
                "{\"start_time\":\"2026-04-15T20:17:00.310Z\",\"method\":\"GET\",\"path\":\"/\","
                    + "\"x-envoy-original-path\":\"/o\",\"authority\":\"a\",\"response_code\":429,"
                    + "\"duration\":12,\"downstream_remote_address\":\"[2001:db8::1]:4711\","
                    + "\"x_forwarded_for\":null,\"user_agent\":\"u\",\"request_id\":\"r1\"}")
            .only();
    assertThat(all(entry))
        .isEqualTo("2026-04-15T20:17:00.310Z 1000 12000 GET /o a 2001:db8::1 null 429");
    assertThat(entry.field("request_id")).isEqualTo("r1");
  }

  @Test
  void balancersOfAws() throws IOException {
    String line =
        "https 2026-07-02T22:23:00.186641Z app/my-lb/50dc6c495c0c9188 192.168.131.39:2817"
            + " 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 \"GET https://www.example.com:443/a?b=1"
            + " HTTP/1.1\" \"curl/7.46.0\" ECDHE TLSv1.2 arn:aws:x \"Root=1-58337281-1d84\""
            + " \"www.example.com\" \"arn:aws:acm:c\" 1";
    String rest =
        " 2026-07-02T22:22:48.364000Z \"authenticate,forward\" \"-\" \"-\" \"10.0.0.1:80\""
            + " \"200\" \"-\" \"-\" TID_123";
    assertThat(all(Logs.read(line + rest).only()))
        .isEqualTo(
            "2026-07-02T22:22:48.364Z 1 171000 GET /a?b=1 www.example.com 192.168.131.39 null 200");
    assertThat(all(Logs.read(line).only()))
        .isEqualTo(
            "2026-07-02T22:23:00.015641Z 1000 171000 GET /a?b=1 www.example.com 192.168.131.39 null"
                + " 200");
  }

  @Test
  void tablesWithDirectives() throws IOException {
    Logs cloudfront =
        Logs.read(
            "#Version: 1.0\n"
                + "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem"
                + " sc-status cs(Referer) cs(User-Agent) cs-uri-query time-taken x-host-header\n"
                + "2026-12-04\t21:02:31\tLAX1\t392\t2001:db8::2\tGET\td1.cf.net\t/i%20x\t200\t-"
                + "\tMozilla/5.0%2520(W;%20x)\ta=1\t0.750\twww.e.org\n");
    assertThat(all(cloudfront.only()))
        .isEqualTo(
            "2026-12-04T21:02:30.250Z 1000000 750000 GET /i%20x?a=1 www.e.org 2001:db8::2 null"
                + " 200");
    assertThat(cloudfront.only().headers("user-agent")).containsExactly("Mozilla/5.0 (W; x)");
    assertThat(cloudfront.skipped).isEqualTo(2);
    Logs iis =
        Logs.read(
            "#Software: Microsoft Internet Information Services 10.0\r\n"
                + "#Fields: date time cs-method cs-uri-stem cs-uri-query cs-username c-ip"
                + " cs(User-Agent) sc-status time-taken\r\n"
                + "2026-01-31 00:00:05 GET /x - CORP\\ann 10.1.1.1 A+B 200 1500\r\n");
    assertThat(all(iis.only()))
        .isEqualTo("2026-01-31T00:00:03.500Z 1000000 1500000 GET /x null 10.1.1.1 CORP\\ann 200");
    assertThat(iis.only().headers("user-agent")).containsExactly("A B");
  }

  @Test
  void jsonWithNamedFields() throws IOException {
    LogFormat mapped =
        LogFormats.json(
            Map.of("time", "ts", "client", "who.ip", "path", "p", "header x-plan", "plan"));
    LogEntry entry =
        read(
            mapped,
            "{\"ts\":1770000000123456789,\"who\":{\"ip\":\"9.9.9.9\",\"x\":[1,{\"p\":2}]},\"p\":\"/\\u00e9\","
                + "\"plan\":\"gold\",\"n\":null,\"deep\":{\"a\":{\"b\":\"\\u4e2d\"}}}");
    assertThat(all(entry)).isEqualTo("2026-02-02T02:40:00.123456Z 1 - GET /é null 9.9.9.9 null 0");
    assertThat(entry.headers("x-plan")).containsExactly("gold");
    assertThat(entry.field("deep.a.b")).isEqualTo("中");
    assertThat(entry.field("n")).isNull();
    String caddy =
        "{\"level\":\"info\",\"ts\":1770000001.5,\"logger\":\"http.log.access\",\"request\":{\"remote_ip\":"
            + "\"127.0.0.1\",\"method\":\"GET\",\"host\":\"localhost\",\"uri\":\"/x\",\"headers\":"
            + "{\"User-Agent\":[\"curl\"]}},\"user_id\":\"\",\"duration\":0.5,\"status\":200}";
    entry = Logs.read(caddy).only();
    assertThat(all(entry))
        .isEqualTo("2026-02-02T02:40:01Z 100000 500000 GET /x localhost 127.0.0.1 null 200");
    assertThat(entry.headers("user-agent")).containsExactly("curl");
  }

  @Test
  void whatIsNoRequestIsUnusableOrSkipped() throws IOException {
    String start = "1.1.1.1 - - [10/Oct/2026:13:55:36 +0200] ";
    Logs logs =
        Logs.read(
            start
                + "\"\\x16\\x03\\x01\\x02\" 400 150 \"-\" \"-\"\n"
                + start
                + "\"-\" 408 0 \"-\" \"-\"\n"
                + start
                + "\"\" 400 0 \"-\" \"-\"\n\n"
                + start
                + "\"GET\" 400 0 \"-\" \"-\"\n"
                + start
                + "\"GET /a b HTTP/1.1\" 200 0 \"-\" \"-\"\n"
                + start
                + "\"GET /old\" 200 0 \"-\" \"-\"\n");
    assertThat(logs.targets())
        .containsExactly(Descriptor.UNUSABLE, Descriptor.UNUSABLE, "/a b", "/old");
    assertThat(Descriptor.isUnusable(logs.entries.get(0).method())).isTrue();
    assertThat(logs.skipped).isEqualTo(3);
    assertThat(logs.bad).isZero();
  }
}
