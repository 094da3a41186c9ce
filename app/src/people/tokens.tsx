import { Alert, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { get, send, type Schemas, useList } from '../api/client.js';
import { texts } from '../texts/en.js';
import { ActionButton, TextField } from '../ui/forms.js';
import { CopyField } from '../ui/buttons.js';
import { ListTable, RowName } from '../ui/tables.js';
import { EmptyScreen, Time } from '../ui/screens.js';

type Token = Schemas['TokenBody'];
type Scopes = NonNullable<Schemas['CreateToken']['scopes']>;

const KEY = ['tokens'] as const;
const MONTHS = 3;
const words = texts.people.tokens;
const SCOPES = Object.entries(words.scopes).map(([value, meaning]) => ({ value, label: `${value}: ${meaning}` }));

/** The API tokens of the person. */
export function Tokens() {
  const [made, setMade] = useState<string>();
  const tokens = useList<Token>(KEY, (page) => get('/v1/user/tokens', {}, { page }));
  const end = ({ id, name }: Token) => (
    <ActionButton
      label={words.end}
      size="xs"
      aria-label={words.endOne(name)}
      ask={{ title: words.endTitle(name), text: words.endText, action: words.end, color: 'red' }}
      action={() => send('delete', '/v1/user/tokens/{tokenId}', { tokenId: id })}
      refresh={KEY}
    />
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{words.text}</Text>
        <MakeToken onMade={setMade} />
      </Group>
      {made !== undefined && (
        <Alert color="green" title={words.madeTitle} withCloseButton onClose={() => setMade(undefined)} role="status">
          <CopyField label={words.token} value={made} />
        </Alert>
      )}
      <ListTable
        query={tokens}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          {
            heading: words.name,
            cell: ({ name, hint, scopes }) => (
              <RowName below={`${hint}… · ${scopes?.join(', ') ?? words.everything}`}>{name}</RowName>
            ),
          },
          {
            heading: words.used,
            cell: ({ lastUsedAt: at }) => (at === undefined ? words.never : <Time at={at} />),
          },
          { heading: words.expires, cell: ({ expiresAt: at }) => (at === undefined ? words.never : <Time at={at} />) },
          { heading: words.end, isButtons: true, cell: end },
        ]}
      />
    </Stack>
  );
}

function MakeToken({ onMade }: Readonly<{ onMade: (secret: string) => void }>) {
  const [fields, setFields] = useState(emptyFields);
  const { name, scopes, expires } = fields;
  const make = async (): Promise<void> => {
    const body: Schemas['CreateToken'] = {
      name: name.trim(),
      ...(scopes.length > 0 && { scopes }),
      ...(expires !== '' && { expiresAt: new Date(`${expires}T23:59:59`).toISOString() }),
    };
    const { token } = await send('post', '/v1/user/tokens', {}, body);
    onMade(token);
  };
  return (
    <ActionButton
      label={words.make}
      variant="filled"
      ask={{
        title: words.make,
        action: words.makeAction,
        disabled: name.trim() === '',
        onClose: () => setFields(emptyFields),
      }}
      action={make}
      refresh={KEY}
    >
      <TextField
        label={words.name}
        description={words.nameHelp}
        value={name}
        onText={(text) => setFields({ ...fields, name: text })}
        maxLength={100}
        required
        data-autofocus
      />
      <MultiSelect
        label={words.scopesLabel}
        description={words.scopesHelp}
        data={SCOPES}
        value={scopes}
        onChange={(chosen) => setFields({ ...fields, scopes: chosen as Scopes })}
        searchable
        clearable
      />
      <TextField
        type="date"
        label={words.expires}
        description={words.expiresHelp}
        value={expires}
        onText={(day) => setFields({ ...fields, expires: day })}
      />
    </ActionButton>
  );
}

/** Without scopes, for some months. */
function emptyFields(): Readonly<{ name: string; scopes: Scopes; expires: string }> {
  const day = new Date();
  day.setMonth(day.getMonth() + MONTHS);
  return { name: '', scopes: [], expires: day.toISOString().slice(0, 10) };
}
