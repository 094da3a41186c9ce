import { Group, Stack, TextInput, Alert, MultiSelect, Text, Checkbox, Select } from '@mantine/core';
import { useState } from 'react';
import { send, sessionQuery, useSession, get, type Schemas, useList, queries } from '../api/client.js';
import { useMutation } from '../api/mutations.js';
import { useExtensionTabs } from '../extensions/extension-tabs.js';
import { texts } from '../texts/en.js';
import { joiningTexts } from '../texts/joining.js';
import { notificationTexts } from '../texts/notifications.js';
import { memberTexts } from '../texts/members.js';
import { Button, CopyField } from '../ui/buttons.js';
import { ActionButton, FlagField, TextField, useChange, useText } from '../ui/forms.js';
import { ScreenFrame, ScreenTabs, EmptyScreen, Time, Loaded } from '../ui/screens.js';
import { OwnSessions } from './sessions.js';
import { ListTable, RowName, DataTable } from '../ui/tables.js';
import { useQuery } from '@tanstack/react-query';
import { NOTIFICATION_KINDS } from './notification-kinds.js';
import type { NotificationKind } from './queries.js';

const words = texts.people.account;

export function AccountScreen() {
  const extensions = useExtensionTabs({});
  const contents = {
    ...extensions.contents,
    profile: <Profile />,
    sessions: <OwnSessions />,
    tokens: <Tokens />,
    notifications: <NotificationSettings />,
  };
  return (
    <ScreenFrame title={words.title}>
      <ScreenTabs labels={{ ...words.tabs, ...extensions.labels }} contents={contents} />
    </ScreenFrame>
  );
}

function Profile() {
  const { user } = useSession();
  const name = useText(user.displayName);
  const photo = useText(user.photoURL);
  const photoURL = photo.value.trim();
  const profile = { displayName: name.value.trim(), photoURL: photoURL === '' ? null : photoURL };
  const save = useChange(() => send('patch', '/v1/users/{userId}', { userId: user.id }, profile), {
    refresh: sessionQuery.queryKey,
    done: words.saved,
  });
  return (
    <form action={() => save.mutate()}>
      <Stack maw={480}>
        <TextField label={words.name} {...name} autoComplete="name" required />
        <TextInput label={joiningTexts.signIn.email} value={user.email ?? ''} readOnly description={words.emailFixed} />
        <TextField type="url" label={words.photo} {...photo} />
        <Group>
          <Button
            label={texts.common.save}
            type="submit"
            loading={save.isPending}
            disabled={profile.displayName === ''}
          />
        </Group>
      </Stack>
    </form>
  );
}

type Token = Schemas['TokenBody'];
type Scopes = NonNullable<Schemas['CreateToken']['scopes']>;

const TOKENS = ['tokens'] as const;
const MONTHS = 3;
const tokenWords = memberTexts.tokens;
const SCOPES = Object.entries(tokenWords.scopes).map(([value, meaning]) => ({ value, label: `${value}: ${meaning}` }));

/** The API tokens of the person. */
export function Tokens() {
  const [made, setMade] = useState<string>();
  const tokens = useList<Token>(TOKENS, (page) => get('/v1/user/tokens', {}, { page }));
  const end = ({ id, name }: Token) => (
    <ActionButton
      label={memberTexts.sessions.end}
      size="xs"
      aria-label={tokenWords.endOne(name)}
      ask={{
        title: tokenWords.endTitle(name),
        text: tokenWords.endText,
        action: memberTexts.sessions.end,
        color: 'red',
      }}
      action={() => send('delete', '/v1/user/tokens/{tokenId}', { tokenId: id })}
      refresh={TOKENS}
    />
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{tokenWords.text}</Text>
        <MakeToken onMade={setMade} />
      </Group>
      {made !== undefined && (
        <Alert
          color="green"
          title={tokenWords.madeTitle}
          withCloseButton
          onClose={() => setMade(undefined)}
          role="status"
        >
          <CopyField label={tokenWords.token} value={made} />
        </Alert>
      )}
      <ListTable
        query={tokens}
        empty={<EmptyScreen title={tokenWords.none} text={tokenWords.noneText} />}
        columns={[
          {
            heading: words.name,
            cell: ({ name, hint, scopes }) => (
              <RowName below={`${hint}… · ${scopes?.join(', ') ?? tokenWords.everything}`}>{name}</RowName>
            ),
          },
          {
            heading: memberTexts.sessions.used,
            cell: ({ lastUsedAt: at }) => (at === undefined ? tokenWords.never : <Time at={at} />),
          },
          {
            heading: tokenWords.expires,
            cell: ({ expiresAt: at }) => (at === undefined ? tokenWords.never : <Time at={at} />),
          },
          { heading: memberTexts.sessions.end, isButtons: true, cell: end },
        ]}
      />
    </Stack>
  );
}

function MakeToken({ onMade }: Readonly<{ onMade: (secret: string) => void }>) {
  const name = useText();
  const [scopes, setScopes] = useState<Scopes>([]);
  const expires = useText(inMonths());
  const forget = (): void => {
    name.onText('');
    setScopes([]);
    expires.onText(inMonths());
  };
  const make = async (): Promise<void> => {
    const body: Schemas['CreateToken'] = {
      name: name.value.trim(),
      ...(scopes.length > 0 && { scopes }),
      ...(expires.value !== '' && { expiresAt: new Date(`${expires.value}T23:59:59`).toISOString() }),
    };
    const { token } = await send('post', '/v1/user/tokens', {}, body);
    onMade(token);
  };
  return (
    <ActionButton
      label={tokenWords.make}
      variant="filled"
      ask={{
        title: tokenWords.make,
        action: tokenWords.makeAction,
        disabled: name.value.trim() === '',
        onClose: forget,
      }}
      action={make}
      refresh={TOKENS}
    >
      <TextField
        {...name}
        label={words.name}
        description={tokenWords.nameHelp}
        maxLength={100}
        required
        data-autofocus
      />
      <MultiSelect
        label={tokenWords.scopesLabel}
        description={tokenWords.scopesHelp}
        data={SCOPES}
        value={scopes}
        onChange={(chosen) => setScopes(chosen as Scopes)}
        searchable
        clearable
      />
      <TextField {...expires} type="date" label={tokenWords.expires} description={tokenWords.expiresHelp} />
    </ActionButton>
  );
}

/** The day on which a new token ends. */
function inMonths(): string {
  const day = new Date();
  day.setMonth(day.getMonth() + MONTHS);
  return day.toISOString().slice(0, 10);
}

type Settings = Schemas['NotificationSettingsBody'];

const SETTINGS = '/v1/user/notification-settings';
const SETTINGS_KEY = ['notification-settings'] as const;
const TIMES = ['immediately', 'daily', 'weekly', 'never'] as const;
const WAYS = ['app', 'mail'] as const;
const notificationWords = notificationTexts;

/** Which notifications the person gets in the workspace and by mail, and when letters are sent. Changes hold at once. */
export function NotificationSettings() {
  const settings = useQuery({ queryKey: SETTINGS_KEY, queryFn: () => get(SETTINGS, {}) });
  const update = useMutation({
    mutationFn: ({ kinds, mail, digest }: Settings) => send('put', SETTINGS, {}, { kinds, mail, digest }),
    onMutate: (next) => void queries.setQueryData(SETTINGS_KEY, next),
    onError: () => settings.refetch(),
  });
  return <Loaded query={settings}>{(shown) => <Form settings={shown} onChange={update.mutate} />}</Loaded>;
}

function Form({ settings, onChange }: Readonly<{ settings: Settings; onChange: (next: Settings) => void }>) {
  const { kinds, mail, digest } = settings;
  const change = (part: Partial<Settings>) => onChange({ ...settings, ...part });
  const column = (way: (typeof WAYS)[number]) => ({
    heading: notificationWords.ways[way],
    cell: ({ id: kind }: { readonly id: NotificationKind }) => (
      <Checkbox
        aria-label={`${notificationWords.kinds[kind]}: ${notificationWords.ways[way]}`}
        checked={kinds[kind][way]}
        disabled={way === 'mail' && mail === 'never'}
        onChange={({ currentTarget: { checked } }) =>
          change({ kinds: { ...kinds, [kind]: { ...kinds[kind], [way]: checked } } })
        }
      />
    ),
  });
  return (
    <Stack>
      {!settings.mailable && <Alert>{notificationWords.notMailable}</Alert>}
      <Select
        maw={320}
        label={notificationWords.mailTimes}
        value={mail}
        data={TIMES.map((value) => ({ value, label: notificationWords.times[value] }))}
        onChange={(next) => next !== null && change({ mail: next, digest: digest || next === 'weekly' })}
      />
      <FlagField label={notificationWords.digest} checked={digest} onFlag={(on) => change({ digest: on })} />
      <DataTable
        minWidth={320}
        items={NOTIFICATION_KINDS.map((id) => ({ id }))}
        columns={[
          { heading: notificationWords.kind, cell: ({ id }) => notificationWords.kinds[id] },
          ...WAYS.map(column),
        ]}
      />
    </Stack>
  );
}
