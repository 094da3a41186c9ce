import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/client.js';
import { spacesQuery } from '../../people/queries.js';
import { serviceTexts } from '../../texts/services.js';
import { FlagField, TextField, useFieldFaults, useText, isWebUrl } from '../../ui/forms.js';
import { EVENT_NAMES, eventLabel } from './event-names.js';
import type { Webhook } from './queries.js';

const words = serviceTexts.webhooks;
const MOST_SPACES = 100;

/** The state of the fields of a webhook; `values` is absent while they are not complete. */
export function useWebhookFields(webhook?: Webhook) {
  const [url, description] = [useText(webhook?.url), useText(webhook?.description)];
  const [isAll, setAll] = useState(webhook?.events.includes('*') ?? false);
  const [events, setEvents] = useState(() => EVENT_NAMES.filter((name) => webhook?.events.includes(name)));
  const [spaces, setSpaces] = useState<readonly string[]>(() => webhook?.spaces ?? []);
  const { at, noting: notingFaults } = useFieldFaults();
  // Faults name spaces by their place in what was sent.
  const [sent, setSent] = useState<readonly string[]>([]);
  const noting = <Output,>(work: () => Promise<Output>) =>
    notingFaults(() => {
      setSent(spaces);
      return work();
    });
  const address = url.value.trim();
  const isReady = isWebUrl(address) && (isAll || events.length > 0);
  const values: Omit<Schemas['CreateWebhook'], 'active'> | undefined = isReady
    ? {
        url: address,
        description: description.value.trim(),
        events: isAll ? ['*'] : [...events],
        spaces: spaces.length === 0 ? null : [...spaces],
      }
    : undefined;
  return {
    values,
    noting,
    fields: { url, description, isAll, setAll, events, setEvents, spaces, setSpaces, sent, at },
  };
}

type WebhookFieldsProps = ReturnType<typeof useWebhookFields>['fields'] & Readonly<{ organizationId: string }>;

/** Asks where a webhook sends which events. */
export function WebhookFields({ organizationId, url, description, ...chosen }: WebhookFieldsProps) {
  const { isAll, setAll, events, setEvents, spaces, setSpaces, sent, at } = chosen;
  const { data: all = [] } = useQuery(spacesQuery(organizationId));
  const known = new Map(all.map(({ id, title }) => [id, title]));
  const nameOf = (id: string): string => known.get(id) ?? id;
  const faultsOfSpaces = sent.flatMap((id, index) => {
    const fault = at(`spaces.${index}`);
    return fault === undefined || !spaces.includes(id) ? [] : [`${nameOf(id)}: ${fault}`];
  });
  const options = [...new Set([...known.keys(), ...spaces])].map((id) => ({ value: id, label: nameOf(id) }));
  return (
    <>
      <TextField
        {...url}
        type="url"
        label={words.url}
        description={words.urlHelp}
        error={at('url')}
        maxLength={2048}
        required
      />
      <TextField {...description} label={words.description} error={at('description')} maxLength={500} />
      <FlagField label={words.allEvents} checked={isAll} onFlag={setAll} />
      {!isAll && (
        <MultiSelect
          label={words.events}
          data={EVENT_NAMES.map((value) => ({ value, label: eventLabel(value) }))}
          value={events}
          onChange={(names) => setEvents(names)}
          searchable
          clearable
          error={at('events')}
          hidePickedOptions
          nothingFoundMessage={words.noEvent}
        />
      )}
      <MultiSelect
        label={words.spaces}
        description={words.spacesHelp}
        data={options}
        value={[...spaces]}
        onChange={setSpaces}
        error={faultsOfSpaces[0] ?? at('spaces')}
        maxValues={MOST_SPACES}
        searchable
        clearable
      />
    </>
  );
}
