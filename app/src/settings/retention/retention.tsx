import { Group, NumberInput, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getTagged, send } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { texts } from '../../texts/en.js';
import { settingsTexts } from '../../texts/settings.js';
import { Button, TextLink } from '../../ui/buttons.js';
import { useChange, useFieldFaults } from '../../ui/forms.js';
import { Loaded, Note, Section } from '../../ui/screens.js';
import { DataTable } from '../../ui/tables.js';
import { retentionQuery } from './queries.js';

const words = settingsTexts.retention;
const KINDS = ['trash', 'auditLog', 'events', 'insights'] as const;
const CONVERSATIONS = '/v1/orgs/{organizationId}/conversations-settings';
const MOST_DAYS = 36_500;

/** How long data are kept: some as the organization says, the rest as the operator of the service says. */
export function Retention() {
  const { id: organizationId } = useOrganization();
  const kept = useQuery(retentionQuery);
  return (
    <Stack>
      <Conversations organizationId={organizationId} />
      <Section title={words.ofOperator}>
        <Note>{words.operatorText}</Note>
        <Loaded query={kept}>
          {(days) => (
            <DataTable
              minWidth={320}
              items={KINDS.map((id) => ({ id, days: days[id] }))}
              columns={[
                { heading: words.data, cell: ({ id }) => words.kinds[id] },
                { heading: words.kept, cell: ({ id, days: count }) => words.periods[id](count) },
                { heading: words.setting, cell: ({ id }) => <code>{words.settings[id]}</code> },
              ]}
            />
          )}
        </Loaded>
        <TextLink label={words.trash} size="sm" to="/o/$organizationId/trash" params={{ organizationId }} />
      </Section>
    </Stack>
  );
}

type PlaceProps = Readonly<{ organizationId: string }>;

function Conversations({ organizationId }: PlaceProps) {
  const settings = useQuery({
    queryKey: keyOf(organizationId),
    queryFn: () => getTagged(CONVERSATIONS, { organizationId }),
  });
  return (
    <Section title={words.conversations}>
      <Loaded query={settings}>
        {({ body: { retentionDays }, etag }) => (
          <DaysForm key={etag} organizationId={organizationId} days={retentionDays} etag={etag} />
        )}
      </Loaded>
    </Section>
  );
}

const keyOf = (organizationId: string) => ['conversations-settings', organizationId] as const;

type DaysFormProps = PlaceProps & Readonly<{ days: number | null; etag: string }>;

function DaysForm({ organizationId, days, etag }: DaysFormProps) {
  const [value, setValue] = useState<number | ''>(days ?? '');
  const { at, noting } = useFieldFaults();
  const retentionDays = value === '' ? null : value;
  const save = useChange(
    noting(() =>
      send('patch', CONVERSATIONS, { organizationId }, { retentionDays }, { headers: { 'If-Match': etag } }),
    ),
    { refresh: keyOf(organizationId), done: settingsTexts.saved },
  );
  return (
    <form action={() => save.mutate()}>
      <Stack gap="sm">
        <NumberInput
          label={words.days}
          description={words.daysHelp}
          placeholder={words.never}
          value={value}
          error={at('retentionDays')}
          min={1}
          max={MOST_DAYS}
          allowDecimal={false}
          maw={320}
          onChange={(next) => setValue(next === '' ? '' : Number(next))}
        />
        <Group>
          <Button label={texts.common.save} type="submit" disabled={retentionDays === days} loading={save.isPending} />
        </Group>
      </Stack>
    </form>
  );
}
