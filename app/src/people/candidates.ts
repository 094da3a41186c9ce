import type { ComboboxParsedItem } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, readAll, type Schemas } from '../api/client.js';
import { texts } from '../texts/en.js';
import { memberTexts } from '../texts/members.js';

/** Those that can be given a role: people, or teams. */
export type Holder = 'users' | 'teams';
/** Those that can be chosen; actors are people who are members or were. */
type Kind = Holder | 'actors';

const WAIT = 250;
/** People that are offered at once; more letters find the others. */
const OFFERED = 20;

type Option = Readonly<{ value: string; label: string }>;

/** People whose names or addresses match, or all teams. */
async function findCandidates(organizationId: string, kind: Kind, search: string): Promise<Option[]> {
  const path = { organizationId };
  if (kind === 'teams') {
    const teams = await readAll<Schemas['TeamBody']>((page) =>
      get('/v1/orgs/{organizationId}/teams', path, { page, limit: 1000 }),
    );
    return teams.map(({ id, title }) => ({ value: id, label: title }));
  }
  const query = { limit: OFFERED, ...(search !== '' && { search }) };
  const [members, former] = await Promise.all([
    get('/v1/orgs/{organizationId}/members', path, query),
    kind === 'actors' ? get('/v1/orgs/{organizationId}/audit-event-former-members', path, query) : { items: [] },
  ]);
  return [
    ...members.items.map(({ id, user }) => ({ value: id, label: user.displayName })),
    ...former.items.map(({ id, label = id }) => ({ value: id, label: memberTexts.audit.former(label) })),
  ];
}

/** The state of a field in which people or teams of an organization are chosen, to be spread into it. */
export function useCandidates(organizationId: string, kind: Kind) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<readonly Option[]>([]);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), WAIT);
  const found = useQuery({
    queryKey: ['candidates', organizationId, kind, kind === 'teams' ? '' : search],
    queryFn: () => findCandidates(organizationId, kind, search),
    placeholderData: keepPreviousData,
  });
  const data = [...new Map([...chosen, ...(found.data ?? [])].map((option) => [option.value, option])).values()];
  const matching = new Set(found.data?.map(({ value }) => value));
  return {
    ids,
    clear: () => setIds([]),
    field: {
      data,
      value: [...ids],
      onChange: (next: string[]) => {
        // A chosen name stays known where a later search does not find it.
        setChosen(data.filter(({ value }) => next.includes(value)));
        setIds(next);
      },
      searchable: true,
      searchValue: typed,
      onSearchChange: setTyped,
      nothingFoundMessage: texts.people.people.nobody,
      // Names alone would hide people who were found by their addresses.
      ...(kind !== 'teams' && {
        filter: ({ options }: { options: ComboboxParsedItem[] }) =>
          options.filter((option) => 'value' in option && matching.has(option.value)),
      }),
    },
  };
}
