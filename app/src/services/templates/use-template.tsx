import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/client.js';
import { refreshTree, spacesQuery } from '../../people/queries.js';
import { templateTexts as words } from '../../texts/templates.js';
import { useFollow } from '../../ui/buttons.js';
import { changing, FlagField, FormDialog, TextField, useFieldFaults, useText } from '../../ui/forms.js';
import { Note } from '../../ui/screens.js';
import { renewContent } from '../../writing/queries.js';
import { Placeholders, usePlaceholders } from './placeholders.js';
import type { Template } from './queries.js';

const [MOST_TITLE, MOST_SUBJECT] = [50, 100];

type DialogProps = Readonly<{ template: Template; organizationId: string; onClose: () => void }>;

/** Starts a space with the pages of a template. */
export function NewSpace({ template, organizationId, onClose }: DialogProps) {
  const follow = useFollow();
  const title = useText(template.title.slice(0, MOST_TITLE));
  const { params, fields } = usePlaceholders(template);
  const { at, noting } = useFieldFaults();
  const make = async (): Promise<void> => {
    const begun = { id: template.id, ...(params && { params }) };
    const body = { title: title.value.trim(), editMode: 'locked', template: begun } as const;
    const { urls } = await send('post', '/v1/orgs/{organizationId}/spaces', { organizationId }, body);
    await refreshTree(organizationId);
    follow(urls.app);
  };
  return (
    <FormDialog
      title={words.newSpace}
      text={words.spaceText}
      action={words.make}
      size="lg"
      disabled={title.value.trim() === '' || !params}
      onSubmit={noting(changing(make, { done: words.made }))}
      onClose={onClose}
    >
      <TextField
        {...title}
        label={words.spaceTitle}
        error={at('title')}
        maxLength={MOST_TITLE}
        required
        dir="auto"
        data-autofocus
      />
      <Placeholders {...fields} faultOf={(name) => at(`template.params.contentRefs.${name}`)} />
    </FormDialog>
  );
}

/** Adds the pages of a template to a space, or to a new change request of it. */
export function AddToSpace({ template, organizationId, onClose }: DialogProps) {
  const navigate = useNavigate();
  const [spaceId, setSpaceId] = useState<string | null>(null);
  const [isReviewed, setReviewed] = useState(true);
  const { data: all } = useQuery(spacesQuery(organizationId));
  const { params, fields } = usePlaceholders(template);
  const { at, noting } = useFieldFaults();
  const spaces = all?.filter(({ permissions }) => permissions.edit) ?? [];
  const isLocked = spaces.find(({ id }) => id === spaceId)?.editMode === 'locked';
  const makesRequest = isReviewed || isLocked;
  const add = async (): Promise<void> => {
    if (spaceId === null) return;
    const asked = { id: template.id, ...(params && { params }) };
    const place = { organizationId, spaceId };
    if (!makesRequest) {
      await send('post', '/v1/spaces/{spaceId}/content/template', { spaceId }, asked);
      await renewContent(place);
      return navigate({ to: '/o/$organizationId/s/$spaceId', params: place });
    }
    const subject = words.subject(template.title).slice(0, MOST_SUBJECT);
    const body = { subject, template: asked };
    const { number } = await send('post', '/v1/spaces/{spaceId}/change-requests', { spaceId }, body);
    return navigate({
      to: '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/changes',
      params: { ...place, changeRequestId: String(number) },
    });
  };
  return (
    <FormDialog
      title={words.add}
      text={words.addText}
      action={words.addAction}
      size="lg"
      disabled={spaceId === null || !params}
      onSubmit={noting(changing(add, { refresh: ['change-requests'], done: words.added }))}
      onClose={onClose}
    >
      {all && spaces.length === 0 ? (
        <Note>{words.noSpaces}</Note>
      ) : (
        <Select
          label={words.space}
          data={spaces.map(({ id, title }) => ({ value: id, label: title }))}
          value={spaceId}
          onChange={setSpaceId}
          searchable
        />
      )}
      {isLocked ? (
        <Note>{words.locked}</Note>
      ) : (
        <FlagField
          label={words.reviewed}
          description={words.reviewedText}
          checked={isReviewed}
          onFlag={setReviewed}
        />
      )}
      <Placeholders
        {...fields}
        faultOf={(name) => at(`${makesRequest ? 'template.' : ''}params.contentRefs.${name}`)}
      />
    </FormDialog>
  );
}
