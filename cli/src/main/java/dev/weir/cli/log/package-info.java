/** What is logged, and until when. */
@NullMarked
package dev.weir.cli.log;

import org.jspecify.annotations.NullMarked;
