package dev.weir.cli.doctor.report;

import dev.weir.cli.terminal.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Findings as JSON. */
public final class DoctorJson {
  private DoctorJson() {}

  /**
   * All findings.
   *
   * @param subject what was examined: the URL of a gateway, or a store
   */
  public static Map<String, @Nullable Object> of(
      String subject, Findings findings, long sent, long seed) {
    List<Object> list = new ArrayList<>();
    for (Finding one : findings.all()) {
      boolean fault = one.verdict() == Verdict.FAULT;
      list.add(
          Json.object(
              "subject",
              one.subject(),
              "check",
              one.check().id(),
              "verdict",
              one.verdict().toString(),
              "evidence",
              one.evidence(),
              "remedy",
              fault ? one.check().remedy() : null,
              "page",
              fault ? one.check().page() : null));
    }
    return Json.object(
        "examined",
        subject,
        "requests",
        sent,
        "seed",
        seed,
        "faults",
        findings.count(Verdict.FAULT),
        "ok",
        findings.count(Verdict.OK),
        "findings",
        list);
  }
}
