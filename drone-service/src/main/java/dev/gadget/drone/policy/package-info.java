/** What the owner of this machine allows: approvals, limits. */
@NullMarked
package dev.gadget.drone.policy;

import org.jspecify.annotations.NullMarked;
