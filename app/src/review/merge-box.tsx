import { Alert, Anchor, Button, Card, Group, List, Loader, Menu, Modal, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import IconCheck from '~icons/fa7-solid/check';
import IconXmark from '~icons/fa7-solid/xmark';
import { answered, api, type Schemas } from '../api/client.js';
import { texts } from '../texts/en.js';
import { showDone } from '../ui/toasts.js';
import {
  brokenLinksQuery,
  conflictsQuery,
  mergeChecksQuery,
  renewRequest,
  type ChangeRequest,
  type RequestAddress,
} from './queries.js';
import { useRequestActions } from './request-actions.js';

const words = texts.review.merge;

interface BoxProps {
  readonly organizationId: string;
  readonly path: RequestAddress;
  readonly request: ChangeRequest;
  readonly space: Schemas['SpaceBody'];
}

/** The way of a change request to the published content: what is fulfilled, what is missing, and the next step. */
export function MergeBox(props: BoxProps): ReactNode {
  return (
    <Card withBorder component="section" aria-label={words.title}>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {words.title}
        </Title>
        {props.request.status === 'merged' ? <MergedBox {...props} /> : <UnmergedBox {...props} />}
      </Stack>
    </Card>
  );
}

function UnmergedBox({ organizationId, path, request, space }: BoxProps): ReactNode {
  const checks = useQuery(mergeChecksQuery(path));
  const conflicts = useQuery(conflictsQuery(path));
  const links = useQuery(brokenLinksQuery(path));
  const actions = useRequestActions(path);
  if (!checks.data || !conflicts.data) return <Loader size="sm" aria-label={texts.common.loading} />;
  const { count } = conflicts.data;
  const broken = links.data?.stats.broken.changeRequest ?? 0;
  const missing = checks.data.rules.filter(({ fulfilled, bypassed }) => !fulfilled && !bypassed);
  return (
    <Stack gap="sm">
      {count > 0 && (
        <Alert color="red" title={words.conflicts(count)}>
          <Anchor
            renderRoot={(props) => (
              <Link
                to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/conflicts"
                params={{ organizationId, ...path }}
                {...props}
              />
            )}
          >
            {words.settle}
          </Anchor>
        </Alert>
      )}
      {broken > 0 && <Alert color="yellow">{words.brokenLinks(broken)}</Alert>}
      <MergeRules rules={checks.data.rules} />
      <Text size="sm" c="dimmed" aria-live="polite">
        {nextStep(request, space, count, missing.length, checks.data.allowed)}
      </Text>
      <Group gap="xs">
        {request.status === 'draft' && space.permissions.edit && (
          <Button variant="default" loading={actions.isPending} onClick={() => actions.mutate({ status: 'open' })}>
            {words.askForReview}
          </Button>
        )}
        {request.outdated && count === 0 && space.permissions.edit && <UpdateButton path={path} />}
        {space.permissions.merge && (
          <MergeButton path={path} isDisabled={count > 0 || !checks.data.allowed || request.status === 'archived'} />
        )}
        {space.permissions.edit && <MoreActions path={path} request={request} />}
      </Group>
    </Stack>
  );
}

function nextStep(
  request: ChangeRequest,
  space: Schemas['SpaceBody'],
  conflicts: number,
  missing: number,
  isAllowed: boolean,
): string {
  if (request.status === 'archived') return words.archived;
  if (conflicts > 0) return words.settleFirst;
  if (!space.permissions.merge) return words.noRight;
  if (!isAllowed) return words.rulesMissing(missing);
  return words.ready;
}

function MergeRules({ rules }: { readonly rules: Schemas['MergeChecksBody']['rules'] }): ReactNode {
  if (rules.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.noRules}
      </Text>
    );
  return (
    <List spacing={4} size="sm" listStyleType="none" aria-label={words.rules}>
      {rules.map(({ rule, fulfilled, bypassed, reason }, index) => (
        <List.Item
          key={index}
          icon={
            fulfilled || bypassed ? (
              <IconCheck aria-label={words.fulfilled} />
            ) : (
              <IconXmark aria-label={words.missing} />
            )
          }
        >
          {words.rule[rule] ?? rule}
          {!fulfilled && reason !== undefined && (
            <Text size="sm" c="dimmed">
              {bypassed ? words.bypassed(reason) : reason}
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  );
}

function MergeButton({ path, isDisabled }: { readonly path: RequestAddress; readonly isDisabled: boolean }): ReactNode {
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const merge = useMutation({
    mutationFn: () =>
      answered(api.POST('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge', { params: { path } })),
    onSuccess: async ({ result }) => {
      close();
      if (result === 'merge') showDone(words.done);
      await Promise.all([
        renewRequest(queries, path),
        queries.invalidateQueries({ queryKey: ['space', path.spaceId] }),
      ]);
    },
  });
  return (
    <>
      <Button disabled={isDisabled} onClick={open}>
        {words.button}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.confirmTitle}>
        <Stack>
          <Text>{words.confirmText}</Text>
          <Group justify="end">
            <Button variant="default" onClick={close}>
              {texts.common.cancel}
            </Button>
            <Button data-autofocus loading={merge.isPending} onClick={() => merge.mutate()}>
              {words.button}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function UpdateButton({ path }: { readonly path: RequestAddress }): ReactNode {
  const queries = useQueryClient();
  const update = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/update', { params: { path }, body: {} }),
      ),
    onSuccess: async () => {
      showDone(words.updated);
      await renewRequest(queries, path);
    },
  });
  return (
    <Button variant="default" loading={update.isPending} onClick={() => update.mutate()}>
      {words.update}
    </Button>
  );
}

function MoreActions({ path, request }: { readonly path: RequestAddress; readonly request: ChangeRequest }): ReactNode {
  const actions = useRequestActions(path);
  return (
    <Menu>
      <Menu.Target>
        <Button variant="subtle">{words.more}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {request.status === 'open' && (
          <Menu.Item onClick={() => actions.mutate({ status: 'draft' })}>{words.backToDraft}</Menu.Item>
        )}
        {request.status === 'archived' ? (
          <Menu.Item onClick={() => actions.mutate({ status: 'draft' })}>{words.reopen}</Menu.Item>
        ) : (
          <Menu.Item color="red" onClick={() => actions.mutate({ status: 'archived' })}>
            {words.archive}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function MergedBox({ organizationId, path, space }: BoxProps): ReactNode {
  const navigate = useNavigate();
  const revert = useMutation({
    mutationFn: () =>
      answered(api.POST('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/revert', { params: { path } })),
    onSuccess: ({ number }) =>
      navigate({
        to: '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId',
        params: { organizationId, spaceId: path.spaceId, changeRequestId: String(number) },
      }),
  });
  return (
    <Stack gap="sm">
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
    </Stack>
  );
}
