package dev.weir.gateway;

import dev.weir.gateway.log.AccessLog;
import dev.weir.rules.gateway.UpstreamSettings;
import java.util.Optional;

/**
 * What a gateway is started with, beside the rules. Immutable.
 *
 * @param upstream gets every request, whatever the rules files say of upstreams; empty to use those
 * @param log gets a line for each request; empty for none. The gateway closes it
 */
public record GatewayOptions(Optional<UpstreamSettings> upstream, Optional<AccessLog> log) {}
