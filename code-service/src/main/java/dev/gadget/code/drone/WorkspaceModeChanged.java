package dev.gadget.code.drone;

import dev.gadget.model.UserId;
import dev.gadget.model.WorkspaceId;
import dev.gadget.model.WorkspaceMode;

/** Fired inside the service when another may write in a workspace. */
public record WorkspaceModeChanged(UserId owner, WorkspaceId workspace, WorkspaceMode mode) {}
