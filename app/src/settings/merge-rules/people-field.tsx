import { MultiSelect, Select } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { get } from '../../api/client.js';
import { useCandidates } from '../../people/candidates.js';

interface PeopleFieldProps {
  readonly organizationId: string;
  readonly label: string;
  readonly value: readonly string[];
  readonly error?: string | undefined;
  readonly description?: string;
  readonly onChange: (ids: string[]) => void;
}

/** The options of a field of members: those that a search finds, and those that are chosen already, by their names. */
function useMembers(organizationId: string, ids: readonly string[]) {
  const { field } = useCandidates(organizationId, 'users');
  const found = new Map(field.data.map(({ value, label }) => [value, label]));
  const unknown = ids.filter((id) => !found.has(id));
  const names = useQueries({
    queries: unknown.map((userId) => ({
      queryKey: ['members', organizationId, 'one', userId],
      staleTime: Infinity,
      queryFn: () => get('/v1/orgs/{organizationId}/members/{userId}', { organizationId, userId }),
    })),
  });
  const others = unknown.map((value, at) => ({ value, label: names[at]?.data?.user.displayName ?? value }));
  return {
    field,
    data: [...field.data, ...others],
  };
}

/** Members of an organization, by their names. */
export function PeopleField({ organizationId, value, onChange, ...props }: PeopleFieldProps) {
  const { field, data } = useMembers(organizationId, value);
  return (
    <MultiSelect
      {...props}
      {...field}
      data={data}
      value={[...value]}
      onChange={(ids) => {
        field.onChange(ids);
        onChange(ids);
      }}
      maxValues={100}
    />
  );
}

type PersonFieldProps = Omit<PeopleFieldProps, 'value' | 'onChange'> &
  Readonly<{ value: string | null; placeholder?: string; onChange: (id: string | null) => void }>;

/** One member of an organization, or nobody. */
export function PersonField({ organizationId, value, onChange, ...props }: PersonFieldProps) {
  const { field, data } = useMembers(organizationId, value === null ? [] : [value]);
  return (
    <Select
      {...props}
      data={data}
      value={value}
      onChange={(id) => {
        field.onChange(id === null ? [] : [id]);
        onChange(id);
      }}
      searchable
      clearable
      searchValue={field.searchValue}
      onSearchChange={field.onSearchChange}
      nothingFoundMessage={field.nothingFoundMessage}
    />
  );
}
