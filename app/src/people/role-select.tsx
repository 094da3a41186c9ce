import { Select } from '@mantine/core';
import { texts } from '../texts/en.js';
import { memberTexts } from '../texts/members.js';
import type { Role } from './queries.js';

const GUEST = 'guest';
const ROLES = ['admin', 'create', 'edit', 'review', 'comment', 'read'] as const;
const DATA = ROLES.map((value) => ({ value, label: roleName(value) }));

/** The name of a role; members without one are guests. */
export function roleName(role: keyof typeof texts.people.roles | null | undefined): string {
  return texts.people.roles[role ?? GUEST];
}

/** The name of a role on a space or collection; null is no access. */
export function permissionName(permission: Role): string {
  return permission === null ? memberTexts.access.levels.none : roleName(permission);
}

interface RoleSelectProps {
  /** Names the field; shown unless `hidden`. */
  readonly label: string;
  readonly hidden?: boolean;
  readonly value: Role;
  readonly disabled?: boolean;
  /** The name of no role; guests have none in an organization. */
  readonly none?: string;
  readonly onChange: (role: Role) => void;
  /** The roles that the organization has made, beside those of the service. */
  readonly custom?: CustomRoles;
}

interface CustomRoles {
  readonly roles: readonly Readonly<{ id: string; title: string }>[];
  readonly value: string | undefined;
  readonly onChange: (id: string) => void;
}

/** A role, or null for none. */
export function RoleSelect(props: RoleSelectProps) {
  const { label, hidden = false, value, disabled = false, none = roleName(null), onChange, custom } = props;
  const base = [...DATA, { value: GUEST, label: none }];
  const own = custom?.roles.map(({ id, title }) => ({ value: id, label: title })) ?? [];
  const { ofService, ofOrganization } = memberTexts.roleGroups;
  const choose = (chosen: string | null): void => {
    if (chosen !== null && own.some((role) => role.value === chosen)) custom?.onChange(chosen);
    else onChange(ROLES.find((role) => role === chosen) ?? null);
  };
  return (
    <Select
      {...(hidden ? { 'aria-label': label } : { label })}
      data={
        own.length === 0
          ? base
          : [
              { group: ofService, items: base },
              { group: ofOrganization, items: own },
            ]
      }
      value={own.find((role) => role.value === custom?.value)?.value ?? value ?? GUEST}
      disabled={disabled}
      onChange={choose}
      w={160}
    />
  );
}
