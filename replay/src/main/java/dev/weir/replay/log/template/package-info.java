/** Formats of text with literals between the fields: NGINX, Apache, Envoy, ALB. */
@NullMarked
package dev.weir.replay.log.template;

import org.jspecify.annotations.NullMarked;
