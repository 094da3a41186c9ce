import { Alert, Code, Group, List, Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { send } from '../../api/client.js';
import { roleName } from '../../people/role-select.js';
import { settingsTexts } from '../../texts/settings.js';
import { Button, SecondaryButton } from '../../ui/buttons.js';
import { useChange } from '../../ui/forms.js';
import { Loaded, Note, Section, Strong, Time } from '../../ui/screens.js';
import { TESTS, testQuery, type LoginTest, type Provider, type ProviderPlace } from './queries.js';

const words = settingsTexts.sso.test;

interface LoginTestingProps {
  readonly place: ProviderPlace;
  readonly provider: Provider;
  /** The test that the address names. */
  readonly testId: string | undefined;
}

/** Begins a login that lets nobody in, and shows what came of it. */
export function LoginTesting({ place, provider, testId }: LoginTestingProps) {
  const isComplete = provider.entityID !== '' && provider.certificate !== '' && provider.ssoURL !== 'about:blank';
  const begin = useChange(async () => {
    const { urls } = await send('post', TESTS, place);
    if (urls.login !== undefined) location.assign(urls.login);
  });
  return (
    <Section title={words.title}>
      <Note>{isComplete ? words.text : words.incomplete}</Note>
      <Group>
        <Button label={words.begin} disabled={!isComplete} run={begin} />
      </Group>
      {testId !== undefined && <Result place={place} testId={testId} />}
    </Section>
  );
}

function Result({ place, testId }: Readonly<{ place: ProviderPlace; testId: string }>) {
  const test = useQuery(testQuery(place, testId));
  if (test.error) return <Alert color="yellow">{words.gone}</Alert>;
  return <Loaded query={test}>{(found) => <Outcome test={found} onAgain={() => void test.refetch()} />}</Loaded>;
}

type OutcomeProps = Readonly<{ test: LoginTest; onAgain: () => void }>;

function Outcome({ test: { status, fault, assertion, account, expiresAt }, onAgain }: OutcomeProps) {
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
      {assertion && (
        <>
          <Strong>{words.subject}</Strong>
          <bdi>{assertion.subject}</bdi>
          {assertion.attributes.length === 0 ? (
            <Note>{words.noAttributes}</Note>
          ) : (
            <Facts
              title={words.attributes}
              head={[words.name, words.values]}
              rows={assertion.attributes.map(({ name, values }) => [name, values.join(', ')])}
            />
          )}
          {assertion.sessionUntil !== undefined && <Note at={assertion.sessionUntil}>{words.session}</Note>}
        </>
      )}
      <Note>
        {words.until} <Time at={expiresAt} />
      </Note>
    </Stack>
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
