import { Alert, Code, Group, List, Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queries, send } from '../../api/client.js';
import { roleName } from '../../people/role-select.js';
import { settingsTexts } from '../../texts/settings.js';
import { Button, SecondaryButton } from '../../ui/buttons.js';
import { useChange } from '../../ui/forms.js';
import { Loaded, Note, Section, Strong, Time } from '../../ui/screens.js';
import {
  named,
  PATHS,
  testQuery,
  type LoginTest,
  type Protocol,
  type Provider,
  type ProviderPlace,
} from './queries.js';
import { missingIn } from './settings-fields.js';

const { test: words, fields: fieldNames } = settingsTexts.sso;

interface LoginTestingProps {
  readonly place: ProviderPlace;
  readonly provider: Provider;
  /** Settings are typed that are not saved yet; a test would lose them. */
  readonly isChanged: boolean;
  /** The test that the address names. */
  readonly testId: string | undefined;
}

/** Begins a login that lets nobody in, and shows what came of it. */
export function LoginTesting({ place, provider, isChanged, testId }: LoginTestingProps) {
  const missing = missingIn(provider);
  const navigate = useNavigate();
  const begin = useChange(async () => {
    const test: LoginTest = await send('post', PATHS[place.protocol].tests, named(place));
    queries.setQueryData(testQuery(place, test.id).queryKey, test);
    // The way back from the identity provider leads to the test, wherever it ends.
    await navigate({ to: '.', search: { test: test.id }, replace: true });
    if (test.urls.login !== undefined) location.assign(test.urls.login);
  });
  return (
    <Section title={words.title}>
      <Note>{missing.length > 0 ? words.incomplete(missing.map((name) => fieldNames[name])) : words.text}</Note>
      {missing.length === 0 && isChanged && <Note>{words.saveFirst}</Note>}
      <Group>
        <Button label={words.begin} disabled={missing.length > 0 || isChanged} run={begin} />
      </Group>
      {testId !== undefined && <Result place={place} testId={testId} />}
    </Section>
  );
}

function Result({ place, testId }: Readonly<{ place: ProviderPlace; testId: string }>) {
  const test = useQuery(testQuery(place, testId));
  if (test.error) return <Alert color="yellow">{words.gone}</Alert>;
  return (
    <Loaded query={test}>
      {(found) => <Outcome protocol={place.protocol} test={found} onAgain={() => void test.refetch()} />}
    </Loaded>
  );
}

type OutcomeProps = Readonly<{ protocol: Protocol; test: LoginTest; onAgain: () => void }>;

function Outcome({ protocol, test, onAgain }: OutcomeProps) {
  const { status, fault, assertion, account, expiresAt } = test;
  if (status === 'begun')
    return (
      <Alert color="yellow" title={words.waits} role="status">
        <Stack gap="xs" align="flex-start">
          {words.waitsText}
          <SecondaryButton label={words.look} size="xs" onClick={onAgain} />
        </Stack>
      </Alert>
    );
  return (
    <Stack>
      <Alert
        color={status === 'passed' ? 'green' : 'red'}
        title={words.outcomes[status]}
        role={status === 'passed' ? 'status' : 'alert'}
        className="plain-text"
      >
        {fault ? `${fault.message}.` : account && words.accounts[account.account](account.displayName)}
      </Alert>
      {fault && fault.compared.length > 0 && (
        <Facts
          title={words.compare}
          head={[words.name, words.expected, words.received]}
          rows={fault.compared.map(({ name, expected, received }) => [name, expected, received])}
        />
      )}
      {account && (
        <List size="sm" aria-label={words.rights}>
          <List.Item>{words.role(roleName(account.role))}</List.Item>
          <List.Item>{words.teams(account.teams.map(({ title }) => title))}</List.Item>
        </List>
      )}
      {assertion && <Said assertion={assertion} said={words.said[protocol]} />}
      <Note>
        {words.until} <Time at={expiresAt} />
      </Note>
    </Stack>
  );
}

type SaidProps = Readonly<{
  assertion: NonNullable<LoginTest['assertion']>;
  said: (typeof words.said)[Protocol];
}>;

/** The claims or attributes that the identity provider sent about the person. */
function Said({ assertion: { subject, attributes, missing, sessionUntil }, said }: SaidProps) {
  return (
    <>
      <Strong>{said.subject}</Strong>
      <bdi>{subject}</bdi>
      {attributes.length === 0 ? (
        <Note>{said.none}</Note>
      ) : (
        <Facts
          title={said.attributes}
          head={[words.name, words.values]}
          rows={attributes.map(({ name, values }) => [name, values.join(', ')])}
        />
      )}
      {missing.length > 0 && <Note>{words.missing(missing)}</Note>}
      {sessionUntil !== undefined && <Note at={sessionUntil}>{words.session}</Note>}
    </>
  );
}

type FactsProps = Readonly<{ title: string; head: readonly string[]; rows: readonly (readonly string[])[] }>;

/** Values that came from outside, each in a cell. */
function Facts({ title, head, rows }: FactsProps) {
  return (
    <>
      <Strong>{title}</Strong>
      <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table
          aria-label={title}
          data={{
            head: [...head],
            body: rows.map((row) =>
              row.map((value, at) => (
                <Code key={at} className="plain-text">
                  <bdi>{value}</bdi>
                </Code>
              )),
            ),
          }}
        />
      </Table.ScrollContainer>
    </>
  );
}
