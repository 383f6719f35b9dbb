package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of events that end with the session of their page. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LiveSessionsTest {
  private static final int MAX_STREAMS = 20;

  @Test
  void streamsThatHaveEndedWithTheirSessionMakeRoomForOthers() throws Exception {
    try (AdminAccess admin = AdminAccess.guarded()) {
      String session = admin.session(AdminAccess.VIEWER, "ann");
      List<LiveStream> pages = new ArrayList<>();
      for (int i = 0; i < MAX_STREAMS; i++) {
        LiveStream page = new LiveStream(admin.served, "Cookie", session);
        page.next("snapshot");
        pages.add(page);
      }
      assertThat(admin.post("/logout", "", "Cookie", session).statusCode()).isEqualTo(204);
      for (LiveStream page : pages) {
        assertThat(page.lines.lines()).isNotNull().allMatch(line -> !line.contains("error"));
      }
      String next = admin.session(AdminAccess.VIEWER, "bob");
      try (LiveStream page = new LiveStream(admin.served, "Cookie", next)) {
        assertThat(page.response.statusCode()).isEqualTo(200);
      }
    }
  }
}
