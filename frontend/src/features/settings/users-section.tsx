import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../../api/http";
import { readAgain, usersQuery } from "../../api/queries";
import { useMe } from "../../app/shell-context";
import type { CreateUser, Role, UpdateUser, UserView } from "../../protocol/messages.gen";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, Select } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { SureButton } from "../../ui/sure-button";
import { DialogActions, ItemList, SectionHead } from "./parts";

const ROLES: Record<Role, string> = { admin: "Administrator", member: "Member" };

export function UsersSection() {
  const users = useQuery(usersQuery);
  const [editing, setEditing] = useState<UserView | "new" | null>(null);
  return (
    <>
      <SectionHead
        title="Users"
        about="There is no sign-up: you make the accounts. Each person sees only their own providers, projects, drones and sessions."
        action={
          <Button kind="primary" onClick={() => setEditing("new")}>
            Add a user
          </Button>
        }
      />
      <ItemList query={users} empty="Nobody.">
        {(user) => <UserItem user={user} onEdit={() => setEditing(user)} />}
      </ItemList>
      {editing && (
        <UserDialog user={editing === "new" ? undefined : editing} onClose={() => setEditing(null)} />
      )}
    </>
  );
}

function UserItem({ user, onEdit }: { user: UserView; onEdit(): void }) {
  const me = useMe();
  const client = useQueryClient();
  const toggle = useMutation({
    mutationFn: () => {
      const body: UpdateUser = { disabled: !user.disabled };
      return call(`/users/${user.id}`, { method: "PATCH", body });
    },
    onSuccess: () => readAgain(client, "users"),
  });
  return (
    <>
      <div className={`min-w-0 flex-1 ${user.disabled ? "opacity-60" : ""}`}>
        <p className="truncate font-medium" dir="auto">
          {user.name}
          <span className="ml-2 text-xs font-normal text-faint">
            {ROLES[user.role]}
            {user.disabled && ", locked out"}
            {user.id === me.id && ", you"}
          </span>
        </p>
        <p className="truncate text-xs text-soft">{user.email}</p>
      </div>
      <Button size="small" kind="quiet" onClick={onEdit}>
        Edit
      </Button>
      {user.id !== me.id && user.disabled && (
        <Button size="small" kind="quiet" busy={toggle.isPending} onClick={() => toggle.mutate()}>
          Let in again
        </Button>
      )}
      {user.id !== me.id && !user.disabled && (
        <SureButton
          size="small"
          kind="quiet"
          busy={toggle.isPending}
          ask="Really lock out?"
          about="All their sign-ins, access tokens and drones end, for good: who is let in again has to make the tokens anew and to enrol the drones again."
          onSure={() => toggle.mutate()}
        >
          Lock out
        </SureButton>
      )}
      {toggle.error && (
        <p className="w-full text-xs text-bad" role="alert">
          {toggle.error.message}
        </p>
      )}
    </>
  );
}

function UserDialog({ user, onClose }: { user: UserView | undefined; onClose(): void }) {
  const client = useQueryClient();
  const [name, setName] = useState(user?.name ?? "");
  const [email, setEmail] = useState(user?.email ?? "");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Role>(user?.role ?? "member");
  const save = useMutation({
    mutationFn: () => {
      if (user) {
        const body: UpdateUser = { name: name.trim(), role, ...(password ? { password } : {}) };
        return call(`/users/${user.id}`, { method: "PATCH", body });
      }
      const body: CreateUser = { name: name.trim(), email: email.trim(), password, role };
      return call("/users", { method: "POST", body });
    },
    onSuccess: async () => {
      await readAgain(client, "users");
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate();
  }
  return (
    <Dialog title={user ? "Edit the user" : "Add a user"} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {!user && (
          <Field
            label="Email"
            type="email"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
        <Field
          label={user ? "New password" : "Password"}
          type="password"
          autoComplete="new-password"
          required={!user}
          value={password}
          hint={user ? "Empty: the old one stays." : "Tell it to the person in a safe way."}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Select label="Role" value={role} onChange={(event) => setRole(event.target.value as Role)}>
          {Object.entries(ROLES).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
        {save.error && <Notice tone="bad">{save.error.message}</Notice>}
        <DialogActions busy={save.isPending} onClose={onClose} word={user ? "Save" : "Add"} />
      </form>
    </Dialog>
  );
}
