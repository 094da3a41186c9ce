import { Group, MultiSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../../texts/en.js';
import { memberTexts } from '../../texts/members.js';
import { Button } from '../../ui/buttons.js';
import { ActionButton, useChange } from '../../ui/forms.js';
import { EmptyScreen, Note } from '../../ui/screens.js';
import { ListTable, RowName } from '../../ui/tables.js';
import type { Role } from '../queries.js';
import { permissionName, RoleSelect } from '../role-select.js';
import { type Holder, useCandidates } from '../candidates.js';
import { accessKey, change, give, take, useGrants, type Governed } from './queries.js';

const words = memberTexts.access;

type GrantsProps = Readonly<{ thing: Governed; holder: Holder }>;

/** The roles that people or teams were given; administrators of the thing give, change and take them. */
export function Grants({ thing, holder }: GrantsProps) {
  const grants = useGrants(thing, holder);
  const isAdmin = thing.permissions.admin;
  const own = words.holders[holder];
  return (
    <Stack>
      <Note>{own.text}</Note>
      {isAdmin && <GiveRole thing={thing} holder={holder} />}
      <ListTable
        query={grants}
        empty={<EmptyScreen title={own.none} text={words.noneText} />}
        columns={[
          { heading: own.name, cell: ({ name, email }) => <RowName below={email}>{name}</RowName> },
          {
            heading: texts.people.people.role,
            cell: ({ id, name, permission }) =>
              isAdmin ? <GrantRole {...{ thing, holder, id, name, permission }} /> : permissionName(permission),
          },
          ...(isAdmin
            ? [
                {
                  heading: words.take,
                  isButtons: true,
                  cell: ({ id, name }: Readonly<{ id: string; name: string }>) => (
                    <ActionButton
                      label={words.take}
                      size="xs"
                      aria-label={words.takeOne(name)}
                      action={() => take(thing, holder, id)}
                      refresh={accessKey(thing)}
                      done={words.taken(name)}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
    </Stack>
  );
}

type GrantRoleProps = GrantsProps & Readonly<{ id: string; name: string; permission: Role }>;

function GrantRole({ thing, holder, id, name, permission }: GrantRoleProps) {
  const run = useChange((to: Role) => change(thing, holder, id, to), {
    refresh: accessKey(thing),
    done: texts.people.people.roleChanged(name),
  });
  return (
    <RoleSelect
      label={texts.people.people.roleOf(name)}
      hidden
      value={run.isPending ? run.variables : permission}
      none={words.levels.none}
      disabled={run.isPending}
      onChange={run.mutate}
    />
  );
}

/** Gives a role to some people or teams of the organization. */
function GiveRole({ thing, holder }: GrantsProps) {
  const [role, setRole] = useState<Role>('read');
  const { ids, clear, field } = useCandidates(thing.organization, holder);
  const run = useChange(() => give(thing, holder, ids, role), {
    refresh: accessKey(thing),
    done: words.given(ids.length),
  });
  return (
    <form action={() => run.mutate(undefined, { onSuccess: clear })}>
      <Group align="flex-end">
        <MultiSelect {...field} label={words.holders[holder].choose} flex={1} miw={220} />
        <RoleSelect label={texts.people.people.role} value={role} none={words.levels.none} onChange={setRole} />
        <Button label={words.give} type="submit" disabled={ids.length === 0} loading={run.isPending} />
      </Group>
    </form>
  );
}
