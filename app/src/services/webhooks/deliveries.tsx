import { Badge, Code, Group, Modal, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { get, send, useList } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { serviceTexts } from '../../texts/services.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { ActionButton } from '../../ui/forms.js';
import { EmptyScreen, Strong, Time } from '../../ui/screens.js';
import { ListTable, RowName } from '../../ui/tables.js';
import { usePolling } from '../polling.js';
import { eventLabel } from './event-names.js';
import { deliveriesKey, WEBHOOK, webhookKey, type Delivery, type WebhookPlace } from './queries.js';

const words = serviceTexts.webhooks;
const STATES = ['all', 'delivered', 'pending', 'failed'] as const;
const COLORS = { delivered: 'green', pending: 'blue', failed: 'red' } as const;

export function DeliveryBadge({ status }: Pick<Delivery, 'status'>) {
  return <Badge color={COLORS[status]}>{words.states[status]}</Badge>;
}

/** The deliveries of a webhook, latest first, each to be looked at and sent again. */
export function Deliveries({ place }: Readonly<{ place: WebhookPlace }>) {
  const [state, setState] = useState<(typeof STATES)[number]>('all');
  const [shown, setShown] = useState<Delivery>();
  const key = [...deliveriesKey(place), state];
  const deliveries = useList<Delivery>(key, (page) =>
    get(`${WEBHOOK}/deliveries`, place, { page, ...(state !== 'all' && { status: state }) }),
  );
  // Deliveries that failed wait for hours; only those that are new are looked at again.
  const isSending = deliveries.data?.pages[0]?.items.some((each) => each.status === 'pending' && each.attempts === 0);
  usePolling(key, isSending ?? false);
  return (
    <Stack>
      <SegmentedControl
        aria-label={serviceTexts.state}
        data={STATES.map((value) => ({ value, label: words.states[value] }))}
        value={state}
        onChange={setState}
      />
      <ListTable
        query={deliveries}
        empty={<EmptyScreen title={words.noDeliveries} text={words.noDeliveriesText} />}
        columns={[
          {
            heading: words.event,
            cell: ({ type, attempts, createdAt }) => (
              <RowName
                below={
                  <>
                    {words.attempts(attempts)} · <Time at={createdAt} />
                  </>
                }
              >
                {eventLabel(type)}
              </RowName>
            ),
          },
          { heading: serviceTexts.state, cell: ({ status }) => <DeliveryBadge status={status} /> },
          { heading: words.answer, cell: ({ response, problem }) => response?.status ?? problem ?? '–' },
          {
            heading: texts.people.people.actions,
            isButtons: true,
            cell: (delivery) => <Buttons delivery={delivery} place={place} onShow={setShown} />,
          },
        ]}
      />
      {shown && <Details delivery={shown} onClose={() => setShown(undefined)} />}
    </Stack>
  );
}

interface ButtonsProps {
  readonly delivery: Delivery;
  readonly place: WebhookPlace;
  readonly onShow: (delivery: Delivery) => void;
}

function Buttons({ delivery, place, onShow }: ButtonsProps) {
  const label = eventLabel(delivery.type);
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <SecondaryButton
        label={words.details}
        aria-label={words.detailsOf(label)}
        size="xs"
        onClick={() => onShow(delivery)}
      />
      <ActionButton
        label={words.redeliver}
        aria-label={words.redeliverOne(label)}
        size="xs"
        action={() =>
          send('post', `${WEBHOOK}/deliveries/{deliveryId}/redeliver`, { ...place, deliveryId: delivery.id })
        }
        refresh={webhookKey(place)}
        done={words.redelivered}
      />
    </Group>
  );
}

function Details({ delivery, onClose }: Readonly<{ delivery: Delivery; onClose: () => void }>) {
  const { type, status, attempts, createdAt, attemptedAt, nextAttemptAt, completedAt } = delivery;
  const { eventId, duration, problem, response, payload } = delivery;
  const time = (at: string | undefined) => at !== undefined && new Date(at).toLocaleString();
  const facts = [
    [serviceTexts.state, words.states[status]],
    [words.eventId, eventId],
    [words.created, time(createdAt)],
    [words.attempted, time(attemptedAt)],
    [words.next, time(nextAttemptAt)],
    [words.completed, time(completedAt)],
    [words.attemptCount, String(attempts)],
    [words.duration, duration !== undefined && `${duration} ms`],
    [words.problem, problem],
    [words.answer, response && String(response.status)],
  ].filter((fact): fact is [string, string] => typeof fact[1] === 'string');
  return (
    <Modal opened onClose={onClose} title={eventLabel(type)} size="lg">
      <Stack>
        <Table variant="vertical" data={{ body: facts }} />
        {response && response.excerpt !== '' && (
          <>
            <Strong>{words.answerText}</Strong>
            <Text size="sm" className="source-text">
              <bdi>{response.excerpt}</bdi>
            </Text>
          </>
        )}
        <Strong>{words.payload}</Strong>
        <Code block tabIndex={0} dir="ltr" aria-label={words.payload}>
          {JSON.stringify(payload, null, 2)}
        </Code>
      </Stack>
    </Modal>
  );
}
