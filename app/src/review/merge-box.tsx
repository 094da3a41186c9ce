import { Alert, Button, Group, List, Loader, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import IconCheck from '~icons/fa7-solid/check';
import IconXmark from '~icons/fa7-solid/xmark';
import { REQUEST, type Schemas, send } from '../api/client.js';
import { texts } from '../texts/en.js';
import { FormDialog } from '../ui/form-dialog.js';
import { TextLink } from '../ui/links.js';
import { Note } from '../ui/note.js';
import { Section } from '../ui/section.js';
import { showDone } from '../ui/toasts.js';
import {
  brokenLinksQuery,
  conflictsQuery,
  mergeChecksQuery,
  renewRequest,
  useRequest,
  useRequestActions,
  useRequestChange,
} from './queries.js';

const words = texts.review.merge;

/** The way of a change request to the published content: what is fulfilled, what is missing, and the next step. */
export function MergeBox(): ReactNode {
  const { request } = useRequest();
  return <Section title={words.title}>{request.status === 'merged' ? <MergedBox /> : <UnmergedBox />}</Section>;
}

function UnmergedBox(): ReactNode {
  const { path, request, space } = useRequest();
  const { edit: mayEdit, merge: mayMerge } = space.permissions;
  const { data: checks } = useQuery(mergeChecksQuery(path));
  const { data: conflicts } = useQuery(conflictsQuery(path));
  const { data: links } = useQuery(brokenLinksQuery(path));
  const actions = useRequestActions(path);
  const update = useRequestChange(path, () => send('post', `${REQUEST}/update`, path, {}), words.updated);
  if (!checks || !conflicts) return <Loader size="sm" aria-label={texts.common.loading} />;
  const { count } = conflicts;
  const broken = links?.stats.broken.changeRequest ?? 0;
  const nextStep = (): string => {
    if (request.status === 'archived') return words.archived;
    if (count > 0) return words.settleFirst;
    if (!mayMerge) return words.noRight;
    if (checks.allowed) return words.ready;
    return words.rulesMissing(checks.rules.filter(({ fulfilled, bypassed }) => !fulfilled && !bypassed).length);
  };
  return (
    <>
      {count > 0 && (
        <Alert color="red" title={words.conflicts(count)}>
          <TextLink to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/conflicts" params={path}>
            {words.settle}
          </TextLink>
        </Alert>
      )}
      {broken > 0 && <Alert color="yellow">{words.brokenLinks(broken)}</Alert>}
      <MergeRules rules={checks.rules} />
      <Note role="status">{nextStep()}</Note>
      <Group gap="xs">
        {request.status === 'draft' && mayEdit && (
          <Button variant="default" loading={actions.isPending} onClick={() => actions.mutate({ status: 'open' })}>
            {words.askForReview}
          </Button>
        )}
        {request.outdated && count === 0 && mayEdit && (
          <Button variant="default" loading={update.isPending} onClick={() => update.mutate()}>
            {words.update}
          </Button>
        )}
        {mayMerge && <MergeButton isDisabled={count > 0 || !checks.allowed || request.status === 'archived'} />}
        {mayEdit && (
          <Menu>
            <Menu.Target>
              <Button variant="subtle">{words.more}</Button>
            </Menu.Target>
            <Menu.Dropdown>
              {request.status !== 'draft' && (
                <Menu.Item onClick={() => actions.mutate({ status: 'draft' })}>
                  {request.status === 'open' ? words.backToDraft : words.reopen}
                </Menu.Item>
              )}
              {request.status !== 'archived' && (
                <Menu.Item color="red" onClick={() => actions.mutate({ status: 'archived' })}>
                  {words.archive}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
    </>
  );
}

function MergeRules({ rules }: Pick<Schemas['MergeChecksBody'], 'rules'>): ReactNode {
  if (rules.length === 0) return <Note>{words.noRules}</Note>;
  return (
    <List spacing={4} size="sm" listStyleType="none" aria-label={words.rules}>
      {rules.map(({ rule, fulfilled, bypassed, reason }, index) => {
        const [Icon, label] = fulfilled || bypassed ? [IconCheck, words.fulfilled] : [IconXmark, words.missing];
        return (
          <List.Item key={index} icon={<Icon aria-label={label} />}>
            {words.rule[rule] ?? rule}
            {!fulfilled && reason !== undefined && <Note>{bypassed ? words.bypassed(reason) : reason}</Note>}
          </List.Item>
        );
      })}
    </List>
  );
}

function MergeButton({ isDisabled }: Readonly<{ isDisabled: boolean }>): ReactNode {
  const { path } = useRequest();
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const merge = async (): Promise<void> => {
    const { result } = await send('post', `${REQUEST}/merge`, path);
    if (result === 'merge') showDone(words.done);
    await Promise.all([renewRequest(queries, path), queries.invalidateQueries({ queryKey: ['space', path.spaceId] })]);
  };
  return (
    <>
      <Button disabled={isDisabled} onClick={open}>
        {words.button}
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={close}
        title={words.confirmTitle}
        text={words.confirmText}
        action={words.button}
        onSubmit={merge}
      />
    </>
  );
}

function MergedBox(): ReactNode {
  const { path, space } = useRequest();
  const navigate = useNavigate();
  const revert = useMutation({
    mutationFn: () => send('post', `${REQUEST}/revert`, path),
    onSuccess: ({ number }) =>
      navigate({
        to: '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId',
        params: { ...path, changeRequestId: String(number) },
      }),
  });
  return (
    <>
      <Text size="sm">{words.mergedText}</Text>
      <Group gap="xs">
        {space.urls.published !== undefined && (
          <Button variant="default" component="a" href={space.urls.published} target="_blank" rel="noreferrer">
            {words.openPublished}
          </Button>
        )}
        {space.permissions.edit && (
          <Button variant="default" loading={revert.isPending} onClick={() => revert.mutate()}>
            {words.revert}
          </Button>
        )}
      </Group>
    </>
  );
}
