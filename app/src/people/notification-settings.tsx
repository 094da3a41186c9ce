import { Alert, Checkbox, Select, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { get, send, type Schemas } from '../api/client.js';
import { queries } from '../api/query-client.js';
import { texts } from '../texts/en.js';
import { Loaded } from '../ui/screens.js';
import { DataTable } from '../ui/tables.js';
import { NOTIFICATION_KINDS, type NotificationKind } from './queries.js';

type Settings = Schemas['NotificationSettingsBody'];
type Change = Schemas['UpdateNotificationSettings'];

const SETTINGS = '/v1/user/notification-settings';
const KEY = ['notification-settings'] as const;
const TIMES = ['immediately', 'daily', 'weekly', 'never'] as const;
const WAYS = ['app', 'mail'] as const;
const words = texts.people.notifications;

/** Which notifications the person gets in the workspace and by mail, and when letters are sent. Changes hold at once. */
export function NotificationSettings() {
  const settings = useQuery({ queryKey: KEY, queryFn: () => get(SETTINGS, {}) });
  const update = useMutation({
    mutationFn: (body: Change) => send('put', SETTINGS, {}, body),
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

function Form({ settings, onChange }: Readonly<{ settings: Settings; onChange: (change: Change) => void }>) {
  const column = (way: (typeof WAYS)[number]) => ({
    heading: words.ways[way],
    cell: ({ id: kind }: { readonly id: NotificationKind }) => (
      <Checkbox
        aria-label={`${words.kinds[kind]}: ${words.ways[way]}`}
        checked={settings.kinds[kind][way]}
        disabled={way === 'mail' && settings.mail === 'never'}
        onChange={({ currentTarget }) => onChange({ kinds: { [kind]: { [way]: currentTarget.checked } } })}
      />
    ),
  });
  return (
    <Stack>
      {!settings.mailable && <Alert>{words.notMailable}</Alert>}
      <Select
        maw={320}
        label={words.mailTimes}
        value={settings.mail}
        data={TIMES.map((value) => ({ value, label: words.times[value] }))}
        allowDeselect={false}
        onChange={(mail) => mail !== null && onChange({ mail })}
      />
      <DataTable
        minWidth={320}
        items={NOTIFICATION_KINDS.map((id) => ({ id }))}
        columns={[{ heading: words.kind, cell: ({ id }) => words.kinds[id] }, ...WAYS.map(column)]}
      />
    </Stack>
  );
}
