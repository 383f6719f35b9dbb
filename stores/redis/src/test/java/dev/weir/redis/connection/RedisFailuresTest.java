package dev.weir.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.UnknownPartitionException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A failure has the effect NONE only where that is certain. */
class RedisFailuresTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          MOVED 1 127.0.0.1:7000                         | MOVED    | NONE
          ASK 1 127.0.0.1:7000                           | ASK      | NONE
          TRYAGAIN Multiple keys request                 | TRYAGAIN | NONE
          READONLY You can't write                       | READONLY | NONE
          LOADING Redis is loading                       | LOADING  | NONE
          OOM command not allowed. script: 6bfc, on @u:1 | OOM      | NONE
          NOSCRIPT No matching script                    | NOSCRIPT | NONE
          NOPERM this user has no permissions            | NOPERM   | NONE
          CLUSTERDOWN The cluster is down                | CLUSTERDOWN | NONE
          ERR Error running script (call to f_6bfc): @user_script:1: -OOM command not allowed | OOM | NONE
          ERR Error running script: Script killed by user with SCRIPT KILL | ERR | UNKNOWN
          ERR The user executing the script can't run this command | ERR | UNKNOWN
          """)
  void errorReplyDeterminesTheEffect(String error, String code, Effect effect) {
    RedisCommandExecutionException reply = new RedisCommandExecutionException(error);
    assertThat(RedisFailures.errorCode(reply)).isEqualTo(code);
    StoreFailure failure = RedisFailures.of(reply);
    assertThat(failure.effect()).isEqualTo(effect);
    assertThat(failure).hasMessage("Redis refused: " + error.substring(error.indexOf(code)));
  }

  @Test
  void connectionErrorDeterminesTheEffect() {
    assertThat(RedisFailures.of(new RedisConnectionException("no")).effect())
        .isEqualTo(Effect.NONE);
    assertThat(
            RedisFailures.of(new RedisException("Currently not connected. Commands are rejected."))
                .effect())
        .isEqualTo(Effect.NONE);
    assertThat(RedisFailures.of(new UnknownPartitionException("gone")).effect())
        .isEqualTo(Effect.NONE);
    assertThat(RedisFailures.of(new RedisException("Connection disconnected")).effect())
        .isEqualTo(Effect.UNKNOWN);
    assertThat(RedisFailures.of(new IOException("Connection reset")).effect())
        .isEqualTo(Effect.UNKNOWN);
    assertThat(RedisFailures.of(new IllegalStateException("what")).effect())
        .isEqualTo(Effect.UNKNOWN);
  }
}
