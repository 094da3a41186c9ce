import { Group, NumberInput, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { send, type Schemas } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { conversationTexts } from '../../texts/conversations.js';
import { texts } from '../../texts/en.js';
import { Button, SecondaryButton } from '../../ui/buttons.js';
import { ActionButton, changing, FlagField, FormDialog, useChange } from '../../ui/forms.js';
import { EmptyScreen, Loaded, Note, Section, Time } from '../../ui/screens.js';
import { DataTable } from '../../ui/tables.js';
import {
  conversationsKey,
  SETTINGS,
  settingsKey,
  settingsQuery,
  SOURCES,
  sourcesQuery,
  type Source,
} from './queries.js';

type OfOrganization = Readonly<{ organizationId: string }>;
type Change = Schemas['UpdateConversationsSettings'];

const words = conversationTexts.settings;
const MOST_DAYS = 36_500;

/** The sources of conversations, and how these are treated. */
export function SourcesAndSettings({ organizationId }: OfOrganization) {
  const settings = useQuery(settingsQuery(organizationId));
  return (
    <Stack>
      <Section title={conversationTexts.sources}>
        <Sources organizationId={organizationId} />
      </Section>
      <Section title={words.title}>
        <Loaded query={settings}>
          {({ body: { redaction, retentionDays }, etag }) => (
            <SettingsForm
              key={organizationId}
              organizationId={organizationId}
              present={{ redaction, retentionDays, etag }}
            />
          )}
        </Loaded>
      </Section>
    </Stack>
  );
}

type Settings = Pick<Schemas['ConversationsSettingsBody'], 'redaction' | 'retentionDays'> & Readonly<{ etag: string }>;
type SettingsFormProps = OfOrganization & Readonly<{ present: Settings }>;

/** Typed text stays when somebody else saves, and is not saved over that. */
function useSettingsEdit(present: Settings) {
  const [base, setBase] = useState(present);
  const [isMasked, setMasked] = useState(base.redaction);
  const [days, setDays] = useState(base.retentionDays);
  const change: Change = {
    ...(isMasked !== base.redaction && { redaction: isMasked }),
    ...(days !== base.retentionDays && { retentionDays: days }),
  };
  const isEdited = Object.keys(change).length > 0;
  const isOther = present.redaction !== base.redaction || present.retentionDays !== base.retentionDays;
  const take = (): void => {
    setBase(present);
    setMasked(present.redaction);
    setDays(present.retentionDays);
  };
  if (present.etag !== base.etag) {
    if (!isEdited || (isMasked === present.redaction && days === present.retentionDays)) take();
    else if (!isOther) setBase(present);
  }
  return { base, isMasked, setMasked, days, setDays, change, isEdited, isOther, take };
}

function SettingsForm({ organizationId, present }: SettingsFormProps) {
  const { permissions } = useOrganization();
  const { base, isMasked, setMasked, days, setDays, change, isEdited, isOther, take } = useSettingsEdit(present);
  const { redaction, retentionDays, etag } = base;
  const [isAsking, setAsking] = useState(false);
  const consequences = { refresh: settingsKey(organizationId), done: words.saved };
  const patch = () => send('patch', SETTINGS, { organizationId }, change, { headers: { 'If-Match': etag } });
  const save = useChange(patch, consequences);
  const isShorter = days !== null && (retentionDays === null || days < retentionDays);
  const isUnmasked = redaction && !isMasked;
  if (!permissions.admin)
    return (
      <>
        <FlagField
          label={words.redaction}
          description={words.redactionHelp}
          checked={redaction}
          disabled
          onFlag={setMasked}
        />
        <Note>{`${words.retention}: ${retentionDays ?? '–'}`}</Note>
        <Note>{words.readOnly}</Note>
      </>
    );
  return (
    <form action={() => (isShorter || isUnmasked ? setAsking(true) : save.mutate())}>
      <Stack gap="sm">
        <FlagField label={words.redaction} description={words.redactionHelp} checked={isMasked} onFlag={setMasked} />
        <NumberInput
          label={words.retention}
          description={words.retentionHelp}
          value={days ?? ''}
          onChange={(value) => setDays(typeof value === 'number' ? value : null)}
          min={1}
          max={MOST_DAYS}
          allowDecimal={false}
          allowNegative={false}
          allowLeadingZeros={false}
          maw={360}
        />
        {isEdited && isOther && (
          <Group gap="xs">
            <Note role="alert">{words.changedMeanwhile}</Note>
            <SecondaryButton label={words.take} size="xs" onClick={take} />
          </Group>
        )}
        <Group>
          <Button label={texts.common.save} type="submit" disabled={!isEdited} loading={save.isPending} />
        </Group>
      </Stack>
      {isAsking && (
        <FormDialog
          title={isShorter ? words.shorter : words.unmasked}
          action={words.confirm}
          color="red"
          onSubmit={changing(patch, consequences)}
          onClose={() => setAsking(false)}
        >
          {isShorter && <Note>{words.shorterText(days)}</Note>}
          {isUnmasked && <Note>{words.unmaskedText}</Note>}
        </FormDialog>
      )}
    </form>
  );
}

function Sources({ organizationId }: OfOrganization) {
  const { permissions } = useOrganization();
  const navigate = useNavigate();
  const sources = useQuery(sourcesQuery(organizationId));
  const show = ({ name }: Source): void =>
    void navigate({ to: '.', search: { tab: 'conversations', source: name }, replace: true });
  return (
    <>
      <Note>{words.sourcesText}</Note>
      <Loaded query={sources} empty={<EmptyScreen title={words.noSources} text={words.noSourcesText} />}>
        {(items) => (
          <DataTable
            items={items.map((source) => ({ ...source, id: source.name }))}
            columns={[
              { heading: conversationTexts.source, cell: ({ name }) => <bdi className="plain-text">{name}</bdi> },
              { heading: words.first, cell: ({ createdAt }) => <Time at={createdAt} /> },
              {
                heading: texts.people.people.actions,
                isButtons: true,
                cell: (source) => (
                  <Group gap="xs" justify="flex-end" wrap="nowrap">
                    <SecondaryButton
                      label={words.show}
                      aria-label={words.showOne(source.name)}
                      size="xs"
                      onClick={() => show(source)}
                    />
                    {permissions.ingestConversations && (
                      <DeleteSource organizationId={organizationId} name={source.name} />
                    )}
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

function DeleteSource({ organizationId, name }: OfOrganization & Pick<Source, 'name'>) {
  return (
    <ActionButton
      label={words.delete}
      aria-label={words.deleteOne(name)}
      size="xs"
      color="red"
      ask={{ title: words.deleteTitle(name), text: words.deleteText, action: texts.common.delete, color: 'red' }}
      action={() => send('delete', `${SOURCES}/{source}`, { organizationId, source: name })}
      refresh={conversationsKey(organizationId)}
      done={words.deleted(name)}
    />
  );
}
