import { Alert, Group, List, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, send } from '../api/client.js';
import { texts } from '../texts/en.js';
import { siteTexts } from '../texts/sites.js';
import { Button, CopyField } from '../ui/buttons.js';
import { ActionButton, TextField, useChange, useFieldFaults } from '../ui/forms.js';
import { Loaded, Note, Section, Time } from '../ui/screens.js';
import { SITE, siteKey, sitesKey, type Site, type SitePlace } from './queries.js';

/** Milliseconds between two looks at a check, and those after which nobody looks any more. */
const LOOK_EVERY = 3000;
const LONGEST_LOOK = 120_000;
const HOSTNAME = '/v1/custom-hostnames/{hostname}';
const words = siteTexts.addresses;
const AGENTS = ['included', 'excluded'] as const;
const QUESTIONS = ['discarded', 'recorded'] as const;

type AddressProps = Readonly<{ site: Site; place: SitePlace }>;

/** The addresses of a site: a hostname of its own, those of programs, and what agents may do. */
export function SiteAddresses({ site, place }: AddressProps) {
  const refresh = sitesKey(place.organizationId);
  const change = useChange(
    (body: Partial<Pick<Site, 'agentsContext' | 'unansweredQuestions'>>) => send('patch', SITE, place, body),
    { refresh, done: siteTexts.saved },
  );
  const published = site.urls.published?.replace(/\/$/, '');
  return (
    <Stack>
      <OwnName key={`${site.hostname ?? ''} ${site.proxy?.target ?? ''}`} site={site} place={place} />
      {site.hostname !== undefined && <Check place={place} hostname={site.hostname} />}
      <Section title={words.programs}>
        {published === undefined ? (
          <Note>{words.unpublished}</Note>
        ) : (
          words.paths.map(([label, path]) => <CopyField key={path} label={label} value={published + path} />)
        )}
        <Select
          label={words.agents}
          data={AGENTS.map((value) => ({ value, label: words.agentTexts[value] }))}
          value={site.agentsContext}
          onChange={(next) => change.mutate({ agentsContext: AGENTS.find((each) => each === next) ?? 'included' })}
        />
        <Select
          label={words.questions}
          data={QUESTIONS.map((value) => ({ value, label: words.questionTexts[value] }))}
          value={site.unansweredQuestions}
          onChange={(next) =>
            change.mutate({ unansweredQuestions: QUESTIONS.find((each) => each === next) ?? 'discarded' })
          }
        />
      </Section>
    </Stack>
  );
}

function OwnName({ site, place }: AddressProps) {
  const first = { hostname: site.hostname ?? '', proxy: site.proxy?.origin ?? '' };
  const [values, setValues] = useState(first);
  const { at, noting } = useFieldFaults();
  const body = Object.fromEntries(
    (['hostname', 'proxy'] as const)
      .map((name) => [name, values[name].trim().toLowerCase()] as const)
      .filter(([name, value]) => value !== first[name])
      .map(([name, value]) => [name, value === '' ? null : value]),
  );
  const save = useChange(
    noting(() => send('patch', SITE, place, body)),
    { refresh: sitesKey(place.organizationId), done: siteTexts.saved },
  );
  return (
    <Section title={words.own}>
      <Note>{words.ownText}</Note>
      <form action={() => save.mutate()}>
        <Stack gap="sm">
          {(['hostname', 'proxy'] as const).map((name) => (
            <TextField
              key={name}
              label={words[name]}
              description={words.help[name]}
              placeholder={words.examples[name]}
              maxLength={512}
              value={values[name]}
              error={at(name)}
              onText={(value) => setValues({ ...values, [name]: value })}
            />
          ))}
          <Group>
            <Button
              label={texts.common.save}
              type="submit"
              disabled={Object.keys(body).length === 0}
              loading={save.isPending}
            />
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

type CheckProps = Readonly<{ place: SitePlace; hostname: string }>;

/** The DNS records that a hostname needs, and whether it has them. */
function Check({ place, hostname }: CheckProps) {
  const key = [...siteKey(place), 'hostname', hostname];
  const [since, setSince] = useState(() => Date.now());
  const found = useQuery({
    queryKey: key,
    queryFn: () => get(HOSTNAME, { hostname }),
    // A check is made in the background.
    refetchInterval: ({ state: { data, dataUpdatedAt } }) =>
      data?.isActive === false && dataUpdatedAt - since < LONGEST_LOOK ? LOOK_EVERY : false,
  });
  const isOver = found.data?.isActive === false && found.dataUpdatedAt - since >= LONGEST_LOOK;
  return (
    <Section title={words.check(hostname)}>
      <Loaded query={found}>
        {({ isActive, status, dns }) => (
          <Stack gap="sm">
            <Alert color={isActive ? 'green' : 'yellow'} role="status" title={isActive ? words.active : words.inactive}>
              {status !== undefined && words.statuses[status]} {dns?.advice}
            </Alert>
            {dns ? (
              <>
                <Note>{words.records(hostname)}</Note>
                <List size="sm">
                  {dns.targets.map((target) => (
                    <List.Item key={target}>
                      <code>{target}</code>
                    </List.Item>
                  ))}
                </List>
                {dns.checkedAt !== undefined && (
                  <Note>
                    {words.checked} <Time at={dns.checkedAt} />
                  </Note>
                )}
              </>
            ) : (
              <Note>{words.noCheck}</Note>
            )}
            {isOver && <Note role="status">{words.checkOver}</Note>}
            <Group>
              <ActionButton
                label={words.checkNow}
                action={() => send('patch', HOSTNAME, { hostname }).then(() => setSince(Date.now()))}
                refresh={key}
                done={words.checking}
              />
            </Group>
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
