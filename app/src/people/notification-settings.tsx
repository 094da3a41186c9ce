import { Alert, Checkbox, Select, Stack, Table } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api, type Schemas } from '../api/client.js';
import { queries } from '../api/query-client.js';
import { texts } from '../texts/en.js';
import { Loaded } from '../ui/loaded.js';
import { NOTIFICATION_KINDS } from './notification-kinds.js';

type Settings = Schemas['NotificationSettingsBody'];
type Change = Schemas['UpdateNotificationSettings'];

const KEY = ['notification-settings'] as const;
const TIMES = ['immediately', 'daily', 'weekly', 'never'] as const;
const WAYS = ['app', 'mail'] as const;
const words = texts.people.notifications;

/** Which notifications the person gets in the workspace and by mail, and when letters are sent. Changes hold at once. */
export function NotificationSettings(): ReactNode {
  const settings = useQuery({
    queryKey: KEY,
    queryFn: () => answered(api.GET('/v1/user/notification-settings')),
  });
  const update = useMutation({
    mutationFn: (body: Change) => answered(api.PUT('/v1/user/notification-settings', { body })),
    onMutate: (change) => {
      const before = queries.getQueryData<Settings>(KEY);
      if (before) queries.setQueryData<Settings>(KEY, changed(before, change));
      return before;
    },
    onError: (_error, _change, before) => queries.setQueryData(KEY, before),
    onSuccess: (after) => queries.setQueryData(KEY, after),
  });
  return <Loaded query={settings}>{(shown) => <Form settings={shown} onChange={update.mutate} />}</Loaded>;
}

/** The settings with a change, as the server will answer them. */
function changed(settings: Settings, { kinds = {}, mail }: Change): Settings {
  const merged = { ...settings.kinds };
  for (const kind of NOTIFICATION_KINDS) merged[kind] = { ...merged[kind], ...kinds[kind] };
  return { ...settings, kinds: merged, mail: mail ?? settings.mail };
}

interface FormProps {
  readonly settings: Settings;
  readonly onChange: (change: Change) => void;
}

function Form({ settings, onChange }: FormProps): ReactNode {
  return (
    <Stack>
      {!settings.mailable && <Alert>{words.notMailable}</Alert>}
      <Select
        maw={320}
        label={words.mailTimes}
        value={settings.mail}
        data={TIMES.map((value) => ({ value, label: words.times[value] }))}
        allowDeselect={false}
        onChange={(value) => {
          const mail = TIMES.find((time) => time === value);
          if (mail) onChange({ mail });
        }}
      />
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.kind}</Table.Th>
            {WAYS.map((way) => (
              <Table.Th key={way}>{words.ways[way]}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {NOTIFICATION_KINDS.map((kind) => (
            <Table.Tr key={kind}>
              <Table.Th scope="row" fw={400}>
                {words.kinds[kind]}
              </Table.Th>
              {WAYS.map((way) => (
                <Table.Td key={way}>
                  <Checkbox
                    aria-label={`${words.kinds[kind]}: ${words.ways[way]}`}
                    checked={settings.kinds[kind][way]}
                    disabled={way === 'mail' && settings.mail === 'never'}
                    onChange={({ currentTarget }) => onChange({ kinds: { [kind]: { [way]: currentTarget.checked } } })}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
