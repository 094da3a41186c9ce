import { useState } from 'react';
import { send, type Schemas } from '../../api/client.js';
import { conversationTexts as words } from '../../texts/conversations.js';
import { texts } from '../../texts/en.js';
import { changing, FormDialog, TextAreaField, TextField, useFieldFaults, useText } from '../../ui/forms.js';
import { Note } from '../../ui/screens.js';
import { CLUSTER, topicsKey, type Cluster, type ClusterPlace } from './queries.js';

const [MOST_LABEL, MOST_SUMMARY, MOST_ICON] = [100, 1000, 50];

interface EditClusterProps {
  readonly cluster: Cluster;
  readonly etag: string;
  readonly place: ClusterPlace;
  readonly onClose: () => void;
}

const saidBy = ({ label, summary, icon }: Cluster): string => JSON.stringify([label, summary, icon]);

/** Asks what a topic says; another change that is made meanwhile is shown, and not undone unseen. */
export function EditCluster({ cluster, etag, place, onClose }: EditClusterProps) {
  const [first] = useState(cluster);
  const [label, summary, icon] = [useText(first.label), useText(first.summary), useText(first.icon)];
  const { at, noting } = useFieldFaults();
  const isIcon = /^[a-z0-9-]+$/.test(icon.value);
  const change: Schemas['UpdateCluster'] = {
    ...(label.value.trim() !== first.label && { label: label.value.trim() }),
    ...(summary.value.trim() !== first.summary && { summary: summary.value.trim() }),
    ...(icon.value !== first.icon && { icon: icon.value }),
  };
  const save = changing(() => send('patch', CLUSTER, place, change, { headers: { 'If-Match': etag } }), {
    refresh: topicsKey(place.organizationId),
    done: words.saved,
  });
  return (
    <FormDialog
      title={words.editTitle}
      text={words.keepHelp}
      action={texts.common.save}
      disabled={label.value.trim() === '' || !isIcon || Object.keys(change).length === 0}
      onSubmit={noting(save)}
      onClose={onClose}
    >
      {saidBy(cluster) !== saidBy(first) && (
        <Note role="alert">
          {words.changedMeanwhile} <bdi>{cluster.label}</bdi>: <bdi>{cluster.summary}</bdi>
        </Note>
      )}
      <TextField {...label} label={words.label} error={at('label')} maxLength={MOST_LABEL} dir="auto" data-autofocus />
      <TextAreaField
        {...summary}
        label={words.summary}
        error={at('summary')}
        minRows={2}
        maxRows={8}
        maxLength={MOST_SUMMARY}
        dir="auto"
      />
      <TextField
        {...icon}
        label={words.icon}
        description={words.iconHelp}
        error={(!isIcon && words.iconFault) || at('icon')}
        maxLength={MOST_ICON}
      />
    </FormDialog>
  );
}
