import { Badge, Stack } from '@mantine/core';
import { useState } from 'react';
import { get, send, useList } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { serviceTexts } from '../../texts/services.js';
import { Button, TextLink } from '../../ui/buttons.js';
import { changing, FormDialog } from '../../ui/forms.js';
import { EmptyScreen, ScreenFrame, Time } from '../../ui/screens.js';
import { ListTable, RowName } from '../../ui/tables.js';
import { DeliveryBadge } from './deliveries.js';
import { WEBHOOKS, webhooksKey, type Webhook } from './queries.js';
import { SecretAlert } from './secret-alert.js';
import { useWebhookFields, WebhookFields } from './webhook-fields.js';

const words = serviceTexts.webhooks;

/** The webhooks of an organization, for its administrators. */
export function WebhooksScreen() {
  const { permissions } = useOrganization();
  if (permissions.admin) return <Webhooks />;
  return <EmptyScreen order={1} title={words.title} text={serviceTexts.hidden} />;
}

function Webhooks() {
  const { id: organizationId } = useOrganization();
  const [isNew, setNew] = useState(false);
  const [secret, setSecret] = useState<string>();
  const webhooks = useList<Webhook>([...webhooksKey(organizationId), 'list'], (page) =>
    get(WEBHOOKS, { organizationId }, { page }),
  );
  return (
    <ScreenFrame title={words.title} actions={<Button label={words.make} onClick={() => setNew(true)} />}>
      <Stack>
        {secret !== undefined && <SecretAlert secret={secret} onClose={() => setSecret(undefined)} />}
        <ListTable
          query={webhooks}
          empty={<EmptyScreen title={words.none} text={words.noneText} />}
          columns={[
            {
              heading: words.url,
              cell: ({ id, url, description }) => (
                <RowName below={<bdi>{description}</bdi>}>
                  <TextLink
                    label={<bdi className="plain-text">{url}</bdi>}
                    to="/o/$organizationId/webhooks/$webhookId"
                    params={{ organizationId, webhookId: id }}
                  />
                </RowName>
              ),
            },
            { heading: serviceTexts.state, cell: (webhook) => <WebhookBadge webhook={webhook} /> },
            { heading: words.events, cell: ({ events }) => words.eventCount(events) },
            {
              heading: words.last,
              cell: ({ lastDelivery: last }) =>
                last ? (
                  <>
                    <DeliveryBadge status={last.status} /> <Time at={last.createdAt} />
                  </>
                ) : (
                  '–'
                ),
            },
          ]}
        />
      </Stack>
      {isNew && <NewWebhook organizationId={organizationId} onMade={setSecret} onClose={() => setNew(false)} />}
    </ScreenFrame>
  );
}

/** The state of a webhook: it sends, it is off, or the service has switched it off. */
export function WebhookBadge({ webhook: { active, disabled } }: Readonly<{ webhook: Webhook }>) {
  if (disabled) return <Badge color="red">{words.switchedOff}</Badge>;
  return <Badge color={active ? 'green' : 'gray'}>{active ? words.on : words.off}</Badge>;
}

type NewWebhookProps = Readonly<{ organizationId: string; onMade: (secret: string) => void; onClose: () => void }>;

function NewWebhook({ organizationId, onMade, onClose }: NewWebhookProps) {
  const { values, noting, fields } = useWebhookFields();
  const make = async (): Promise<void> => {
    if (values) onMade((await send('post', WEBHOOKS, { organizationId }, { ...values, active: true })).secret);
  };
  return (
    <FormDialog
      title={words.make}
      action={words.makeAction}
      size="lg"
      disabled={values === undefined}
      onSubmit={noting(changing(make, { refresh: webhooksKey(organizationId) }))}
      onClose={onClose}
    >
      <WebhookFields organizationId={organizationId} {...fields} />
    </FormDialog>
  );
}
