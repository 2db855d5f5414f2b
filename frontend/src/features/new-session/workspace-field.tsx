import { useQuery } from "@tanstack/react-query";
import { dronesQuery } from "../../api/queries";
import { Select } from "../../ui/field";

type Workspace = string | null | undefined;

/**
 * On which drone a session works. The first prompt gives it the workspace of any that is free, unless somebody chooses; from then on
 * it stays where its files are, and moving it is for a drone that is gone for good.
 */
export function WorkspaceField({
  now,
  value,
  onChange,
}: {
  /** Where the session is by now. */
  now: Workspace;
  value: Workspace;
  onChange(workspaceId: Workspace): void;
}) {
  const drones = useQuery(dronesQuery).data?.filter((drone) => drone.workspaceId);
  if (!drones || (!now && drones.length < 2)) return null;
  const chosen = value ?? now;
  const known = drones.some((drone) => drone.workspaceId === now);
  return (
    <Select
      label={now ? "Workspace" : "Where"}
      data-setting="workspace"
      value={chosen ?? ""}
      onChange={(event) => onChange(event.target.value || now)}
      hint={
        now &&
        chosen !== now && (
          <span className="text-warn">
            The session goes on in other files: what its turns changed so far stays where it was.
          </span>
        )
      }
    >
      {!now && <option value="">any drone that is free</option>}
      {now && !known && <option value={now}>of a drone that is not enrolled any more</option>}
      {drones.map((drone) => (
        <option key={drone.id} value={drone.workspaceId ?? ""}>
          {drone.name}: {drone.workspaceDir} ({drone.status})
        </option>
      ))}
    </Select>
  );
}
