/** What to send to prove each rule, derived from the rules. */
@NullMarked
package dev.weir.cli.doctor.plan;

import org.jspecify.annotations.NullMarked;
