import { Badge, Group, Stack, Text } from '@mantine/core';
import { upperFirst, useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { reviewTexts } from '../../texts/review.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { Loaded, Section } from '../../ui/screens.js';
import { AttributeTable, PageDiff, type ContentDiff, type Delta } from '../../ui/page-diff.js';

type Deltas = Readonly<Record<string, Omit<Delta, 'attribute'>>>;

interface SemanticChange {
  readonly type: string;
  readonly page?: { readonly id: string; readonly title: string; readonly path?: string };
  readonly viewed?: boolean;
  readonly file?: { readonly id: string; readonly name: string };
  readonly reusableContent?: { readonly id: string; readonly title: string };
  readonly tag?: { readonly slug: string; readonly label: string };
  readonly attributes?: Deltas;
  readonly variables?: Deltas;
}

export interface ChangedPage {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  /** `page_created`, `page_edited`, `page_moved`, `page_deleted`. */
  readonly types: readonly string[];
  readonly viewed: boolean;
}

/** A file, a reusable content, a tag or the variables, with what differs; a reusable content has a document as well. */
export type OtherChange = Readonly<{
  key: string;
  type: string;
  name: string;
  deltas: readonly Delta[];
  reusableContentId: string | undefined;
}>;

type Changes = Readonly<{ changes: readonly object[]; more?: number }>;

export type ChangedThings = ReturnType<typeof changedThings>;

/** The things that a change request or a revision changes: each page once, and everything else. */
export function changedThings({ changes, more = 0 }: Changes) {
  const pages = new Map<string, ChangedPage>();
  const others: OtherChange[] = [];
  for (const change of changes as readonly SemanticChange[]) {
    const { type, page, viewed = false, file, reusableContent, tag, attributes, variables } = change;
    if (page) {
      const { id, title, path = '' } = page;
      pages.set(id, { id, title, path, viewed, types: [...(pages.get(id)?.types ?? []), type] });
      continue;
    }
    const deltas = Object.entries(attributes ?? variables ?? {})
      // These name documents and files in the store, which says nothing to people.
      .filter(([name]) => name !== 'document' && name !== 'downloadURL')
      .map(([attribute, delta]) => ({ attribute, ...delta }));
    const key = `${type} ${file?.id ?? reusableContent?.id ?? tag?.slug ?? ''}`;
    const name = file?.name ?? reusableContent?.title ?? tag?.label ?? '';
    others.push({ key, type, name, deltas, reusableContentId: reusableContent?.id });
  }
  return { pages: [...pages.values()], others, more };
}

export function withViewed<All extends Changes>(all: All, pageId: string, viewed: boolean): All {
  const changes = (all.changes as readonly SemanticChange[]).map((change) =>
    change.page?.id === pageId ? { ...change, viewed } : change,
  );
  return { ...all, changes };
}

/** The name of a kind of change: the interface's own, as words. */
export const kindOf = (type: string): string => upperFirst(type).replaceAll('_', ' ');

/** The kinds of the changes of a page. */
export function KindBadges({ types }: Pick<ChangedPage, 'types'>) {
  return types.map((type) => <Badge key={type}>{kindOf(type)}</Badge>);
}

interface DiffSource {
  /** The two states that are compared, as a part of the keys of queries. */
  readonly states: readonly unknown[];
  /** Reads the differences of a reusable content as HTML. */
  readonly read: (reusableContentId: string) => Promise<ContentDiff>;
}

/** Files, reusable contents, tags and variables that differ, with their values before and after. */
export function OtherChanges({ changes, source }: Readonly<{ changes: readonly OtherChange[]; source: DiffSource }>) {
  if (changes.length === 0) return null;
  return (
    <Section title={reviewTexts.changes.othersTitle} id="other-changes">
      {changes.map(({ key, type, name, deltas, reusableContentId: id }) => (
        <Stack gap="xs" key={key}>
          <Group gap="xs">
            <Badge>{kindOf(type)}</Badge>
            <Text fw={600}>{name}</Text>
          </Group>
          {id === undefined ? <AttributeTable attributes={deltas} /> : <ReusableChanges id={id} source={source} />}
        </Stack>
      ))}
    </Section>
  );
}

/** The differences of a reusable content, read when they are asked for. */
function ReusableChanges({ id, source }: Readonly<{ id: string; source: DiffSource }>) {
  const [isOpen, { open }] = useDisclosure();
  const query = useQuery({
    queryKey: ['reusable-diff', ...source.states, id],
    enabled: isOpen,
    queryFn: () => source.read(id),
  });
  if (isOpen) return <Loaded query={query}>{(diff) => <PageDiff diff={diff} />}</Loaded>;
  return <SecondaryButton label={reviewTexts.changes.show} onClick={open} />;
}
