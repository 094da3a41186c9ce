import { Code, Group, Modal, MultiSelect, Select, Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, useList, type Schemas } from '../api/client.js';
import type { paths } from '../api/schema.js';
import { memberTexts } from '../texts/members.js';
import { SecondaryButton } from '../ui/buttons.js';
import { TextField, useText } from '../ui/forms.js';
import { EmptyScreen, Time } from '../ui/screens.js';
import { ListTable, RowName } from '../ui/tables.js';
import { useCandidates } from './candidates.js';
import { useOrganization } from './queries.js';

type AuditEvent = Schemas['AuditEventBody'];
type Filter = NonNullable<paths['/v1/orgs/{organizationId}/audit-events']['get']['parameters']['query']>;

const MOST_ACTIONS = 20;
const words = memberTexts.audit;

/** The first and the last moment of the days in which events are looked for, by the clock of the reader. */
const beginOf = (day: string): string => new Date(`${day}T00:00:00.000`).toISOString();
const endOf = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();

/** The acts of people and programs in an organization, with filters. */
export function AuditLog() {
  const { id: organizationId } = useOrganization();
  const [actions, setActions] = useState<string[]>([]);
  const [actor, setActor] = useState<string | null>(null);
  const [from, to] = [useText(), useText()];
  const [shown, setShown] = useState<AuditEvent>();
  const labels = useActionLabels(organizationId);
  const filter: Filter = {
    ...(actions.length > 0 && { action: actions as NonNullable<Filter['action']> }),
    ...(actor !== null && { actor }),
    ...(from.value !== '' && { from: beginOf(from.value) }),
    ...(to.value !== '' && { to: endOf(to.value) }),
  };
  const events = useList<AuditEvent>(['audit', organizationId, filter], (page) =>
    get('/v1/orgs/{organizationId}/audit-events', { organizationId }, { ...filter, page }),
  );
  const labelOf = (action: string): string => labels.get(action) ?? action;
  return (
    <Stack>
      <Group align="flex-end">
        <MultiSelect
          label={words.actions}
          data={[...labels].map(([value, label]) => ({ value, label }))}
          value={actions}
          onChange={setActions}
          maxValues={MOST_ACTIONS}
          searchable
          clearable
          flex={1}
          miw={220}
        />
        <ActorSelect organizationId={organizationId} value={actor} onChange={setActor} />
        <TextField {...from} type="date" label={words.from} max={to.value || undefined} />
        <TextField {...to} type="date" label={words.to} min={from.value || undefined} />
      </Group>
      <ListTable
        query={events}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          { heading: words.when, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
          { heading: words.actor, cell: ({ actor: { label, id } }) => label ?? id },
          {
            heading: words.action,
            cell: ({ action, target }) => <RowName below={target.label ?? target.id}>{labelOf(action)}</RowName>,
          },
          {
            heading: words.details,
            isButtons: true,
            cell: (event) => <SecondaryButton label={words.details} size="xs" onClick={() => setShown(event)} />,
          },
        ]}
      />
      {shown && <Details event={shown} title={labelOf(shown.action)} onClose={() => setShown(undefined)} />}
    </Stack>
  );
}

/** Every action of the log with its description. */
function useActionLabels(organizationId: string): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['audit-actions', organizationId],
    staleTime: Infinity,
    queryFn: () => get('/v1/orgs/{organizationId}/audit-event-actions', { organizationId }),
  });
  return new Map(data?.items.map(({ id, label }) => [id, label]));
}

interface ActorSelectProps {
  readonly organizationId: string;
  readonly value: string | null;
  readonly onChange: (actor: string | null) => void;
}

function ActorSelect({ organizationId, value, onChange }: ActorSelectProps) {
  const { field } = useCandidates(organizationId, 'actors');
  return (
    <Select
      {...field}
      label={words.actor}
      value={value}
      onChange={(actor) => {
        field.onChange(actor === null ? [] : [actor]);
        onChange(actor);
      }}
      clearable
    />
  );
}

type DetailsProps = Readonly<{ event: AuditEvent; title: string; onClose: () => void }>;

function Details({ event, title, onClose }: DetailsProps) {
  const { occurredAt, actor, source, target, context, correlationId, payload } = event;
  const facts = [
    [words.when, new Date(occurredAt).toLocaleString()],
    [words.actor, actor.label ?? actor.id],
    [words.token, actor.token && (actor.token.name ?? actor.token.id)],
    [words.source, words.sources[source]],
    [words.target, `${target.type} ${target.label ?? target.id}`],
    [words.address, context.ipAddress],
    [words.program, context.userAgent],
    [words.request, correlationId],
  ].filter((fact): fact is [string, string] => fact[1] !== undefined);
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <Stack>
        <Table variant="vertical" data={{ body: facts }} />
        <Code block tabIndex={0}>
          {JSON.stringify(payload, null, 2)}
        </Code>
      </Stack>
    </Modal>
  );
}
