import { Alert, Badge, Button, Group, Progress, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { ApiError, REQUEST, send } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { shownValue } from '../../ui/page-diff.js';
import { EmptyScreen } from '../../ui/screens.js';
import { showDone, showFault } from '../../ui/toasts.js';
import { pagesQuery } from '../../writing/queries.js';
import { treeData } from '../../writing/tree/tree-data.js';
import { renewRequest, useRequest } from '../queries.js';
import { RequestFrame } from '../request-frame.js';
import { CHOICES, type Settlement } from './settled-text.js';
import { allConflictsQuery, type Conflict, resolutionOf, settledTextOf } from './settlements.js';
import { SourceText, ThreeTexts } from './three-texts.js';
import './conflicts.css';

const words = texts.review.conflicts;

/** Settles the conflicts of a change request with the published content, all of them before anything is sent. */
export function ConflictsScreen(): ReactNode {
  return (
    <RequestFrame current="conflicts">
      <Conflicts />
    </RequestFrame>
  );
}

function Conflicts(): ReactNode {
  const { path, space } = useRequest();
  const { data } = useSuspenseQuery(allConflictsQuery(path));
  const titles = useTitles();
  const [settlements, setSettlements] = useState<ReadonlyMap<string, Settlement>>(new Map());
  const { update, isMoved } = useUpdate();
  const { conflicts, primary } = data;
  const mayEdit = space.permissions.edit;
  if (conflicts.length === 0) return <EmptyScreen title={words.emptyTitle} text={words.emptyText} />;
  const open = conflicts.filter(({ id }) => !settlements.has(id));
  const settled = conflicts.length - open.length;
  const submit = (): void => {
    const resolutions = conflicts.flatMap((conflict) => {
      const settlement = settlements.get(conflict.id);
      return settlement ? [resolutionOf(conflict, settlement)] : [];
    });
    update.mutate({ primary, resolutions });
  };
  return (
    <>
      <Text>{words.text}</Text>
      {!mayEdit && <Alert color="yellow">{words.noRight}</Alert>}
      {isMoved && (
        <Alert color="yellow" role="alert">
          {words.moved}
        </Alert>
      )}
      {conflicts.map((conflict, index) => (
        <ConflictCard
          key={conflict.id}
          conflict={conflict}
          title={words.number(index + 1, conflicts.length)}
          titles={titles}
          settlement={settlements.get(conflict.id)}
          onSettle={(id, settlement) => setSettlements((known) => new Map(known).set(id, settlement))}
        />
      ))}
      <Group justify="space-between" gap="md" className="conflict-foot">
        <Text size="sm" role="status">
          {words.progress(settled, conflicts.length)}
        </Text>
        <Progress flex={1} miw={80} value={(settled / conflicts.length) * 100} aria-label={words.progressLabel} />
        {open[0] && (
          <Button variant="default" onClick={() => showConflict(open[0]?.id ?? '')}>
            {words.next}
          </Button>
        )}
        <Button disabled={open.length > 0 || !mayEdit} loading={update.isPending} onClick={submit}>
          {words.send}
        </Button>
      </Group>
    </>
  );
}

function showConflict(id: string): void {
  const card = document.getElementById(`conflict-${id}`);
  card?.scrollIntoView({ block: 'start' });
  card?.focus({ preventScroll: true });
}

interface Update {
  readonly primary: string;
  readonly resolutions: ReturnType<typeof resolutionOf>[];
}

/** Sends what was decided; where the published content has moved on, the conflicts are read anew instead. */
function useUpdate() {
  const { path } = useRequest();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isMoved, setIsMoved] = useState(false);
  const readAnew = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: allConflictsQuery(path).queryKey });
    setIsMoved(true);
  };
  const update = useMutation({
    meta: { handlesErrors: true },
    mutationFn: (body: Update) => send('post', `${REQUEST}/update`, path, body),
    onSuccess: async ({ result }) => {
      if (result === 'conflicts') return readAnew();
      showDone(words.done);
      await navigate({ to: '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId', params: path });
      await Promise.all([
        renewRequest(queries, path),
        queries.invalidateQueries({ queryKey: ['content', path.spaceId] }),
      ]);
    },
    onError: (error) => (error instanceof ApiError && error.status === 409 ? readAnew() : showFault(error)),
  });
  return { update, isMoved };
}

/** The titles of the pages of both sides. */
function useTitles(): ReadonlyMap<string, string> {
  const { path } = useRequest();
  const { organizationId, spaceId } = path;
  const { data: published = [] } = useQuery(pagesQuery({ organizationId, spaceId }));
  const { data: changed = [] } = useQuery(pagesQuery(path));
  return useMemo(
    () =>
      new Map(
        [published, changed].flatMap((pages) => [...treeData(pages).nodes].map(([id, { page }]) => [id, page.title])),
      ),
    [published, changed],
  );
}

type Titles = ReadonlyMap<string, string>;

interface ConflictCardProps {
  readonly conflict: Conflict;
  readonly title: string;
  /** The titles of pages by their ids. */
  readonly titles: Titles;
  readonly settlement: Settlement | undefined;
  readonly onSettle: (id: string, settlement: Settlement) => void;
}

/** A conflict with its three sides, and the choice between them. */
export function ConflictCard({ conflict, title, titles, settlement, onSettle }: ConflictCardProps): ReactNode {
  const { id, kind, attribute, page, markdown } = conflict;
  const side = (name: 'base' | 'primary' | 'changed'): ReactNode =>
    markdown ? (
      <SourceText text={markdown[name]} />
    ) : (
      <Text size="sm">{valueText(conflict, conflict[name], titles)}</Text>
    );
  const attributeName =
    attribute === undefined
      ? ''
      : `: ${words.attribute[attribute] ?? texts.writing.diff.attributes[attribute] ?? attribute}`;
  return (
    <ThreeTexts
      id={`conflict-${id}`}
      title={title}
      mark={
        <Badge variant="light" color={settlement ? 'green' : 'red'}>
          {settlement ? words.choice[settlement.choice] : words.open}
        </Badge>
      }
      subject={`${subjectOf(conflict, titles)} · ${words.kind[kind]}${attributeName}`}
      sides={{ before: side('base'), theirs: side('primary'), mine: side('changed') }}
      labels={words.sides}
      choices={markdown ? CHOICES : ['theirs', 'mine']}
      settlement={settlement}
      onSettle={({ choice, own = settledTextOf(conflict, settlement ?? { choice: 'mine' }) }) =>
        onSettle(id, choice === 'own' ? { choice, own } : { choice })
      }
      page={page}
    />
  );
}

/** A page or file of one side. */
interface SideItem {
  readonly title?: string;
  readonly pages?: readonly SideItem[];
}

function valueText({ kind, attribute }: Conflict, value: unknown, titles: Titles): ReactNode {
  if (kind === 'attribute')
    return attribute === 'place' && Array.isArray(value) ? placeText(value[0], titles) : shownValue(value);
  if (kind === 'cycle')
    return typeof value === 'string' || value === null ? placeText(value, titles) : cycleText(value, titles);
  if (value === null) return words.gone;
  const items = (Array.isArray(value) ? value : [value]) as readonly SideItem[];
  const names = items.map(({ title = '' }) => title).join(', ');
  const under = items.flatMap(({ pages = [] }) => pages.map(({ title = '' }) => title));
  return `${words.stays(names)}${under.length > 0 ? ` ${words.under(under.join(', '))}` : ''}`;
}

function placeText(parent: unknown, titles: Titles): string {
  return typeof parent === 'string' && parent !== '' ? words.below(titles.get(parent) ?? parent) : words.top;
}

function cycleText(places: unknown, titles: Titles): string {
  if (!Array.isArray(places)) return '';
  return (places as readonly (readonly [string, string | null])[])
    .map(([page, parent]) => `${titles.get(page) ?? page} ${placeText(parent, titles)}`)
    .join('; ');
}

/** The thing that a conflict is about. */
function subjectOf({ page, file, variable, base, primary, changed }: Conflict, titles: Titles): string {
  if (variable !== undefined) return words.of.variable(variable);
  if (page === undefined) return file === undefined ? words.of.reusableContent : words.of.file;
  const sides = [changed, primary, base] as readonly (Partial<SideItem> | null)[];
  return words.of.page(titles.get(page) ?? sides.find((side) => typeof side?.title === 'string')?.title ?? page);
}
