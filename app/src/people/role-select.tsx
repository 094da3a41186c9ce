import { Select } from '@mantine/core';
import { texts } from '../texts/en.js';
import type { Role } from './queries.js';

const GUEST = 'guest';
const ROLES = ['admin', 'create', 'edit', 'review', 'comment', 'read'] as const;
const DATA = ([...ROLES, GUEST] as const).map((value) => ({ value, label: roleName(value) }));

/** The name of a role; members without one are guests. */
export function roleName(role: keyof typeof texts.people.roles | null | undefined): string {
  return texts.people.roles[role ?? GUEST];
}

interface RoleSelectProps {
  /** Names the field; shown unless `hidden`. */
  readonly label: string;
  readonly hidden?: boolean;
  readonly value: Role;
  readonly disabled?: boolean;
  readonly onChange: (role: Role) => void;
}

/** A role in an organization; null makes guests. */
export function RoleSelect({ label, hidden = false, value, disabled = false, onChange }: RoleSelectProps) {
  return (
    <Select
      {...(hidden ? { 'aria-label': label } : { label })}
      data={DATA}
      value={value ?? GUEST}
      disabled={disabled}
      onChange={(chosen) => onChange(ROLES.find((role) => role === chosen) ?? null)}
      w={160}
    />
  );
}
