import { Alert, Button, Group, MultiSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answered, api, type Schemas } from '../api/client.js';
import { nextPage } from '../api/pages.js';
import { queries } from '../api/query-client.js';
import { FormDialog } from '../shell/entry-dialogs.js';
import { texts } from '../texts/en.js';
import { HiddenHeading } from '../ui/hidden-heading.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { CopyField } from '../ui/copy-field.js';
import { LoadedList } from '../ui/loaded.js';
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
  const [ending, setEnding] = useState<Token>();
  const tokens = useInfiniteQuery({
    queryKey: KEY,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) => answered(api.GET('/v1/user/tokens', { params: { query: { page } } })),
    getNextPageParam: nextPage<Token>,
  });
  const end = async ({ id }: Token): Promise<void> => {
    await answered(api.DELETE('/v1/user/tokens/{tokenId}', { params: { path: { tokenId: id } } }));
    await queries.invalidateQueries({ queryKey: KEY });
  };
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
      <LoadedList query={tokens} empty={<EmptyScreen title={words.none} text={words.noneText} />}>
        {(items) => <TokenTable tokens={items} onEnd={setEnding} />}
      </LoadedList>
      {isMaking && <MakeToken onMade={setMade} onClose={() => setMaking(false)} />}
      {ending && (
        <ConfirmDialog
          title={words.endTitle(ending.name)}
          text={words.endText}
          action={words.end}
          onConfirm={() => end(ending)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Stack>
  );
}

interface TokenTableProps {
  readonly tokens: readonly Token[];
  readonly onEnd: (token: Token) => void;
}

function TokenTable({ tokens, onEnd }: TokenTableProps): ReactNode {
  return (
    <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th>{words.used}</Table.Th>
            <Table.Th>{words.expires}</Table.Th>
            <HiddenHeading>{words.end}</HiddenHeading>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Th scope="row" fw={400}>
                {token.name}
                <Text size="xs" c="dimmed">
                  {token.hint}… · {token.scopes ? token.scopes.join(', ') : words.everything}
                </Text>
              </Table.Th>
              <Table.Td>{token.lastUsedAt === undefined ? words.neverUsed : <Time at={token.lastUsedAt} />}</Table.Td>
              <Table.Td>{token.expiresAt === undefined ? words.never : <Time at={token.expiresAt} />}</Table.Td>
              <Table.Td ta="right">
                <Button variant="default" size="xs" aria-label={words.endOne(token.name)} onClick={() => onEnd(token)}>
                  {words.end}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface MakeTokenProps {
  readonly onMade: (secret: string) => void;
  readonly onClose: () => void;
}

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
    const { token } = await answered(api.POST('/v1/user/tokens', { body }));
    onMade(token);
    await queries.invalidateQueries({ queryKey: KEY });
  };
  return (
    <FormDialog
      title={words.make}
      action={words.makeAction}
      canSubmit={name.trim() !== ''}
      onSubmit={make}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        description={words.nameHelp}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
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
      <TextInput
        type="date"
        label={words.expires}
        description={words.expiresHelp}
        value={expires}
        onChange={({ currentTarget }) => setExpires(currentTarget.value)}
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
