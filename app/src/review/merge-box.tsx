import { Alert, Button, Group, List, Loader, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import IconCheck from '~icons/fa7-solid/check';
import IconXmark from '~icons/fa7-solid/xmark';
import { get, REQUEST, type Schemas, send } from '../api/client.js';
import { texts } from '../texts/en.js';
import { SecondaryButton } from '../ui/secondary-button.js';
import { FormDialog } from '../ui/form-dialog.js';
import { TextLink } from '../ui/links.js';
import { Note } from '../ui/note.js';
import { Section } from '../ui/section.js';
import { showDone } from '../ui/toasts.js';
import { conflictsQuery, partQuery, useRequest, useRequestChange, useRequestUpdate } from './queries.js';

const words = texts.review.merge;

/** The way of a change request to the published content: what is fulfilled, what is missing, and the next step. */
export function MergeBox(): ReactNode {
  const { request } = useRequest();
  return <Section title={words.title}>{request.status === 'merged' ? <MergedBox /> : <UnmergedBox />}</Section>;
}

function UnmergedBox(): ReactNode {
  const { path, request, space } = useRequest();
  const { edit: mayEdit, merge: mayMerge } = space.permissions;
  const { data: checks } = useQuery(partQuery(path, 'merge-checks', () => get(`${REQUEST}/merge-checks`, path)));
  const { data: found } = useQuery(conflictsQuery(path));
  const ofBroken = { limit: 20, status: 'broken', brokenContext: 'change-request' } as const;
  const { data: links } = useQuery(partQuery(path, 'links', () => get(`${REQUEST}/links`, path, ofBroken)));
  const { mutate: set, isPending: isSetting } = useRequestUpdate();
  const update = useRequestChange(() => send('post', `${REQUEST}/update`, path, {}), words.updated);
  if (!checks || !found) return <Loader size="sm" aria-label={texts.common.loading} />;
  const count = found.conflicts.length;
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
          <TextLink
            c="inherit"
            underline="always"
            to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/conflicts"
            params={path}
          >
            {words.settle}
          </TextLink>
        </Alert>
      )}
      {broken > 0 && <Alert color="yellow">{words.brokenLinks(broken)}</Alert>}
      <MergeRules rules={checks.rules} />
      <Note role="status">{nextStep()}</Note>
      <Group gap="xs">
        {request.status === 'draft' && mayEdit && (
          <SecondaryButton label={words.askForReview} loading={isSetting} onClick={() => set({ status: 'open' })} />
        )}
        {request.outdated && count === 0 && mayEdit && (
          <SecondaryButton label={words.update} loading={update.isPending} onClick={() => update.mutate()} />
        )}
        {mayMerge && <MergeButton isDisabled={count > 0 || !checks.allowed || request.status === 'archived'} />}
        {mayEdit && (
          <Menu>
            <Menu.Target>
              <Button variant="subtle">{words.more}</Button>
            </Menu.Target>
            <Menu.Dropdown>
              {request.status !== 'draft' && (
                <Menu.Item onClick={() => set({ status: 'draft' })}>
                  {request.status === 'open' ? words.backToDraft : words.reopen}
                </Menu.Item>
              )}
              {request.status !== 'archived' && (
                <Menu.Item color="red" onClick={() => set({ status: 'archived' })}>
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
  const [isOpen, { open, close }] = useDisclosure();
  const merge = useRequestChange(async () => {
    const { result } = await send('post', `${REQUEST}/merge`, path);
    if (result === 'merge') showDone(words.done);
  });
  const { button, confirmTitle, confirmText } = words;
  return (
    <>
      <Button disabled={isDisabled} onClick={open}>
        {button}
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={close}
        title={confirmTitle}
        text={confirmText}
        action={button}
        onSubmit={() => merge.mutateAsync()}
      />
    </>
  );
}

function MergedBox(): ReactNode {
  const { path, space } = useRequest();
  const { edit: mayRevert } = space.permissions;
  const navigate = useNavigate();
  const revert = useRequestChange(async () => {
    const { number } = await send('post', `${REQUEST}/revert`, path);
    const params = { ...path, changeRequestId: String(number) };
    await navigate({ to: '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId', params });
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
        {mayRevert && (
          <SecondaryButton label={words.revert} loading={revert.isPending} onClick={() => revert.mutate()} />
        )}
      </Group>
    </>
  );
}
