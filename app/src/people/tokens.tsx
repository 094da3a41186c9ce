import { Alert, Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { get, send, type Schemas } from '../api/client.js';
import { useList } from '../api/pages.js';
import { queries } from '../api/query-client.js';
import { texts } from '../texts/en.js';
import { ActionButton } from '../ui/action-button.js';
import { CopyField } from '../ui/copy-field.js';
import { TextField } from '../ui/fields.js';
import { FormDialog } from '../ui/form-dialog.js';
import { ListTable, RowName } from '../ui/list-table.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';

type Token = Schemas['TokenBody'];
type Scopes = NonNullable<Schemas['CreateToken']['scopes']>;

const KEY = ['tokens'] as const;
const MONTHS = 3;
const words = texts.people.tokens;
const SCOPES = Object.entries(words.scopes).map(([value, meaning]) => ({ value, label: `${value}: ${meaning}` }));

/** The API tokens of the person. */
export function Tokens(): ReactNode {
  const [made, setMade] = useState<string>();
  const [isMaking, setMaking] = useState(false);
  const tokens = useList<Token>(KEY, (page) => get('/v1/user/tokens', {}, { page }));
  const end = ({ id, name }: Token): ReactNode => (
    <ActionButton
      size="xs"
      aria-label={words.endOne(name)}
      confirm={{ title: words.endTitle(name), text: words.endText, action: words.end }}
      action={() => send('delete', '/v1/user/tokens/{tokenId}', { tokenId: id })}
      refresh={KEY}
    >
      {words.end}
    </ActionButton>
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{words.text}</Text>
        <Button onClick={() => setMaking(true)}>{words.make}</Button>
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
      {isMaking && <MakeToken onMade={setMade} onClose={() => setMaking(false)} />}
    </Stack>
  );
}

type MakeTokenProps = Readonly<{ onMade: (secret: string) => void; onClose: () => void }>;

function MakeToken({ onMade, onClose }: MakeTokenProps): ReactNode {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>([]);
  const [expires, setExpires] = useState(inMonths(MONTHS));
  const make = async (): Promise<void> => {
    const body: Schemas['CreateToken'] = {
      name: name.trim(),
      ...(scopes.length > 0 && { scopes: scopes as Scopes }),
      ...(expires !== '' && { expiresAt: new Date(`${expires}T23:59:59`).toISOString() }),
    };
    const { token } = await send('post', '/v1/user/tokens', {}, body);
    onMade(token);
    await queries.invalidateQueries({ queryKey: KEY });
  };
  return (
    <FormDialog
      title={words.make}
      action={words.makeAction}
      disabled={name.trim() === ''}
      onSubmit={make}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        description={words.nameHelp}
        value={name}
        onText={setName}
        maxLength={100}
        required
        data-autofocus
      />
      <MultiSelect
        label={words.scopesLabel}
        description={words.scopesHelp}
        data={SCOPES}
        value={scopes}
        onChange={setScopes}
        searchable
        clearable
      />
      <TextField
        type="date"
        label={words.expires}
        description={words.expiresHelp}
        value={expires}
        onText={setExpires}
      />
    </FormDialog>
  );
}

/** The day that many months from now, as date fields have it. */
function inMonths(months: number): string {
  const day = new Date();
  day.setMonth(day.getMonth() + months);
  return day.toISOString().slice(0, 10);
}
