import { Alert, Box, Group, NumberInput, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { serviceTexts } from '../../texts/services.js';
import { Button, TextLink } from '../../ui/buttons.js';
import { ActionButton, FlagField, useChange } from '../../ui/forms.js';
import { Loaded, Note, ScreenFrame, Section, Time } from '../../ui/screens.js';
import { Deliveries } from './deliveries.js';
import {
  deliveriesKey,
  WEBHOOK,
  webhookKey,
  webhookQuery,
  webhooksKey,
  type Webhook,
  type WebhookPlace,
} from './queries.js';
import { SecretAlert } from './secret-alert.js';
import { useWebhookFields, WebhookFields } from './webhook-fields.js';
import { WebhookBadge } from './webhooks-screen.js';

type WebhookProps = Readonly<{ webhook: Webhook; place: WebhookPlace }>;

const words = serviceTexts.webhooks;
const MOST_HOURS = 168;
const GRACE_HOURS = 24;

/** One webhook: its settings, its secret and its deliveries. */
export function WebhookScreen() {
  const place = useParams({ from: '/signed-in/o/$organizationId/webhooks/$webhookId' });
  // The secret of one webhook is not shown with another one that the browser goes back to.
  return <OneWebhook key={place.webhookId} place={place} />;
}

function OneWebhook({ place }: Readonly<{ place: WebhookPlace }>) {
  const webhook = useQuery(webhookQuery(place));
  const [secret, setSecret] = useState<string>();
  return (
    <Loaded query={webhook}>
      {(found) => (
        <ScreenFrame
          title={found.description === '' ? words.one : found.description}
          above={
            <Box mb="sm">
              <TextLink label={words.title} size="sm" to="/o/$organizationId/webhooks" params={place} />
            </Box>
          }
          actions={<Actions webhook={found} place={place} onSecret={setSecret} />}
        >
          <Stack>
            {secret !== undefined && <SecretAlert secret={secret} onClose={() => setSecret(undefined)} />}
            <Activity webhook={found} place={place} />
            <Section title={words.deliveries}>
              <Deliveries place={place} />
            </Section>
            <Section title={words.settings}>
              <Settings key={settingsOf(found)} webhook={found} place={place} />
            </Section>
          </Stack>
        </ScreenFrame>
      )}
    </Loaded>
  );
}

type ActionsProps = WebhookProps & Readonly<{ onSecret: (secret: string) => void }>;

function Actions({ webhook: { url }, place, onSecret }: ActionsProps) {
  const navigate = useNavigate();
  const [hours, setHours] = useState<number>(GRACE_HOURS);
  const rotate = async (): Promise<void> =>
    onSecret((await send('post', `${WEBHOOK}/rotate-secret`, place, { graceHours: hours })).secret);
  const remove = async (): Promise<void> => {
    await send('delete', WEBHOOK, place);
    await navigate({ to: '/o/$organizationId/webhooks', params: place });
  };
  return (
    <Group gap="xs">
      <ActionButton
        label={words.ping}
        action={() => send('post', `${WEBHOOK}/ping`, place)}
        refresh={deliveriesKey(place)}
        done={words.pinged}
      />
      <ActionButton
        label={words.rotate}
        ask={{ title: words.rotate, text: words.rotateText, action: words.rotateAction }}
        action={rotate}
        refresh={webhookKey(place)}
      >
        <NumberInput
          label={words.graceHours}
          value={hours}
          onChange={(value) => setHours(typeof value === 'number' ? value : 0)}
          min={0}
          max={MOST_HOURS}
          clampBehavior="strict"
          allowDecimal={false}
        />
      </ActionButton>
      <ActionButton
        label={texts.common.delete}
        color="red"
        ask={{ title: words.deleteTitle, text: words.deleteText(url), action: texts.common.delete, color: 'red' }}
        action={remove}
        refresh={[...webhooksKey(place.organizationId), 'list']}
        done={words.deleted}
      />
    </Group>
  );
}

/** The state of the webhook, the reason why the service has switched it off, and the secrets that sign. */
function Activity({ webhook, place }: WebhookProps) {
  const { active, disabled, url, previousSecretUntil } = webhook;
  const change = useChange((isOn: boolean) => send('patch', WEBHOOK, place, { active: isOn }), {
    refresh: webhookKey(place),
    done: (changed: Webhook) => (changed.active ? words.nowOn : words.nowOff),
  });
  return (
    <>
      <Group>
        <WebhookBadge webhook={webhook} />
        <Note className="plain-text">
          <bdi>{url}</bdi>
        </Note>
      </Group>
      {disabled && (
        <Alert color="red" title={words.disabledTitle} role="alert">
          {disabled.reason} <Time at={disabled.at} />
        </Alert>
      )}
      <FlagField
        label={words.sends}
        description={words.sendsHelp}
        checked={change.isPending ? change.variables : active}
        disabled={change.isPending}
        onFlag={(isOn) => change.mutate(isOn)}
      />
      {previousSecretUntil !== undefined && <Note at={previousSecretUntil}>{words.bothSecrets}</Note>}
    </>
  );
}

/** Fields begin anew with other settings only: not when the webhook has delivered, or has another secret. */
const settingsOf = ({ url, description, events, spaces }: Webhook): string =>
  JSON.stringify([url, description, events, spaces]);

function Settings({ webhook, place }: WebhookProps) {
  const { values, noting, fields } = useWebhookFields(webhook);
  // Fields that somebody else has changed meanwhile stay.
  const changed = Object.fromEntries(
    Object.entries(values ?? {}).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(webhook[name as keyof Webhook]),
    ),
  );
  const save = useChange(
    noting(() => send('patch', WEBHOOK, place, changed)),
    { refresh: webhookKey(place), done: words.saved },
  );
  return (
    <form action={() => save.mutate()}>
      <Stack gap="sm">
        <WebhookFields organizationId={place.organizationId} {...fields} />
        <Group>
          <Button
            label={texts.common.save}
            type="submit"
            disabled={values === undefined || Object.keys(changed).length === 0}
            loading={save.isPending}
          />
        </Group>
      </Stack>
    </form>
  );
}
