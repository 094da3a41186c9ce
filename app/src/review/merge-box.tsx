import { Alert, Group, List, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import IconCheck from '~icons/fa7-solid/check';
import IconXmark from '~icons/fa7-solid/xmark';
import { get, REQUEST, type Schemas, send } from '../api/client.js';
import { texts } from '../texts/en.js';
import { reviewTexts } from '../texts/review.js';
import { ActionButton } from '../ui/forms.js';
import { AddressButton, Button, useFollow, DropMenu, MenuItem, SecondaryButton, TextLink } from '../ui/buttons.js';
import { Note, Section } from '../ui/screens.js';
import { showDone } from '../ui/toasts.js';
import {
  conflictsQuery,
  partQuery,
  useRequest,
  useRequestChange,
  useRequestUpdate,
  useRequestWork,
} from './queries.js';

const words = reviewTexts.merge;

/** The way of a change request to the published content: what is fulfilled, what is missing, and the next step. */
export function MergeBox() {
  const { request } = useRequest();
  return <Section title={words.title}>{request.status === 'merged' ? <MergedBox /> : <UnmergedBox />}</Section>;
}

function UnmergedBox() {
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
            label={words.settle}
            c="inherit"
            underline="always"
            to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/conflicts"
            params={path}
          />
        </Alert>
      )}
      {links && broken > 0 && <BrokenLinks count={broken} links={links.items} />}
      <MergeRules rules={checks.rules} />
      <Note role="status">{nextStep()}</Note>
      <Group gap="xs">
        {request.status === 'draft' && mayEdit && (
          <SecondaryButton label={words.askForReview} loading={isSetting} onClick={() => set({ status: 'open' })} />
        )}
        {request.outdated && count === 0 && mayEdit && <SecondaryButton label={words.update} run={update} />}
        {mayMerge && <MergeButton isDisabled={count > 0 || !checks.allowed || request.status === 'archived'} />}
        {mayEdit && (
          <DropMenu position="bottom" target={<Button label={words.more} variant="subtle" />}>
            {request.status !== 'draft' && (
              <MenuItem
                label={request.status === 'open' ? words.backToDraft : words.reopen}
                onClick={() => set({ status: 'draft' })}
              />
            )}
            {request.status !== 'archived' && (
              <MenuItem label={words.archive} color="red" onClick={() => set({ status: 'archived' })} />
            )}
          </DropMenu>
        )}
      </Group>
    </>
  );
}

/** The links that the change request breaks, by the pages and reusable contents where they are. */
function BrokenLinks({ count, links }: Readonly<{ count: number; links: readonly Schemas['LinkUsage'][] }>) {
  const { path } = useRequest();
  const places = links.flatMap(({ locationReferences }) => locationReferences);
  const pages = new Map(places.flatMap(({ page }) => (page ? [[page.id, page.title] as const] : [])));
  const others = new Set(places.flatMap(({ reusableContent }) => reusableContent?.title ?? []));
  return (
    <Alert color="yellow" title={words.brokenLinks(count)}>
      <List size="sm" aria-label={words.brokenOn}>
        {[...pages].map(([pageId, title]) => (
          <List.Item key={pageId}>
            <TextLink
              c="inherit"
              underline="always"
              to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/pages/$pageId"
              params={{ ...path, pageId }}
              label={title}
            />
          </List.Item>
        ))}
        {[...others].map((title) => (
          <List.Item key={title}>{title}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

function MergeRules({ rules }: Pick<Schemas['MergeChecksBody'], 'rules'>) {
  if (rules.length === 0) return <Note>{words.noRules}</Note>;
  return (
    <List spacing={4} size="sm" listStyleType="none" aria-label={words.rules}>
      {rules.map(({ title, fulfilled, bypassed, reason }, index) => {
        const [Icon, label] = fulfilled || bypassed ? [IconCheck, words.fulfilled] : [IconXmark, words.missing];
        return (
          <List.Item key={index} icon={<Icon aria-hidden={false} role="img" aria-label={label} />}>
            {title}
            {!fulfilled && reason !== undefined && <Note>{bypassed ? words.bypassed(reason) : reason}</Note>}
          </List.Item>
        );
      })}
    </List>
  );
}

function MergeButton({ isDisabled }: Readonly<{ isDisabled: boolean }>) {
  const { path } = useRequest();
  const merge = useRequestWork(async () => {
    const { result } = await send('post', `${REQUEST}/merge`, path);
    if (result === 'merge') showDone(words.done);
  });
  const { title: label, confirmTitle, confirmText: text } = words;
  const ask = { title: confirmTitle, text, action: label };
  return <ActionButton {...{ label, ask }} variant="filled" disabled={isDisabled} action={merge} />;
}

function MergedBox() {
  const { path, space } = useRequest();
  const follow = useFollow();
  const revert = useRequestChange(async () => {
    follow((await send('post', `${REQUEST}/revert`, path)).urls.app);
  });
  return (
    <>
      <Text size="sm">{words.mergedText}</Text>
      <Group gap="xs">
        {space.urls.published !== undefined && (
          <AddressButton label={words.openPublished} href={space.urls.published} target="_blank" rel="noreferrer" />
        )}
        {space.permissions.edit && <SecondaryButton label={words.revert} run={revert} />}
      </Group>
    </>
  );
}
