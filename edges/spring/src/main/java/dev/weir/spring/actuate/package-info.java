/** Shows and changes the limits of a running application: endpoint, health and metrics. */
@NullMarked
package dev.weir.spring.actuate;

import org.jspecify.annotations.NullMarked;
