import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, readAll, type Schemas } from '../api/client.js';
import { texts } from '../texts/en.js';

/** Those that can be given a role: people, or teams. */
export type Holder = 'users' | 'teams';

const WAIT = 250;
/** People that are offered at once; more letters find the others. */
const OFFERED = 20;

type Option = Readonly<{ value: string; label: string }>;

/** People whose names or addresses match, or all teams. */
async function findCandidates(organizationId: string, holder: Holder, search: string): Promise<Option[]> {
  const path = { organizationId };
  if (holder === 'users') {
    const query = { limit: OFFERED, ...(search !== '' && { search }) };
    const { items } = await get('/v1/orgs/{organizationId}/members', path, query);
    return items.map(({ id, user }) => ({ value: id, label: user.displayName }));
  }
  const teams = await readAll<Schemas['TeamBody']>((page) =>
    get('/v1/orgs/{organizationId}/teams', path, { page, limit: 1000 }),
  );
  return teams.map(({ id, title }) => ({ value: id, label: title }));
}

/** The state of a field in which people or teams of an organization are chosen, to be spread into it. */
export function useCandidates(organizationId: string, holder: Holder) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<readonly Option[]>([]);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), WAIT);
  const found = useQuery({
    queryKey: ['candidates', organizationId, holder, holder === 'users' ? search : ''],
    queryFn: () => findCandidates(organizationId, holder, search),
    placeholderData: keepPreviousData,
  });
  const data = [...new Map([...chosen, ...(found.data ?? [])].map((option) => [option.value, option])).values()];
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
    },
  };
}
