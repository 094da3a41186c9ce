import { Box, Menu, Stack, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import IconAdd from '~icons/fa7-solid/plus';
import IconConditional from '~icons/fa7-solid/filter';
import IconDefault from '~icons/fa7-solid/star';
import IconDraft from '~icons/fa7-solid/pencil';
import IconGroup from '~icons/fa7-regular/folder';
import IconLink from '~icons/fa7-solid/arrow-up-right-from-square';
import IconSection from '~icons/fa7-regular/window-maximize';
import IconSpace from '~icons/fa7-solid/book';
import { send } from '../../api/client.js';
import { siteTexts } from '../../texts/sites.js';
import { Button, DropMenu, MenuItem } from '../../ui/buttons.js';
import { changing, FormDialog } from '../../ui/forms.js';
import { PageIcon } from '../../ui/page-icon.js';
import { EmptyScreen, Loaded, Note } from '../../ui/screens.js';
import { showFault } from '../../ui/toasts.js';
import { childrenOf, ROOT } from '../../ui/tree/forest.js';
import { Tree } from '../../ui/tree/tree.js';
import { SITE, siteKey, structureQuery, type Site, type SitePlace, type Structure } from '../queries.js';
import { PartDialog } from './part-dialog.js';
import { fits, movePart, partsOf, PATHS, pathOf, type Kind, type Part, type Parts } from './parts.js';

const words = siteTexts.structure;
const ICONS = {
  'site-space': IconSpace,
  'site-section': IconSection,
  'site-section-group': IconGroup,
  'site-external-link': IconLink,
};

type ContentsProps = Readonly<{ site: Site; place: SitePlace }>;

/** The parts of a site in the order of its navigation, which its administrators arrange. */
export function StructureOfSite({ site, place }: ContentsProps) {
  const structure = useQuery(structureQuery(place));
  return (
    <Loaded query={structure}>
      {(found) => <Arranged isAdmin={site.permissions.admin} place={place} structure={found} />}
    </Loaded>
  );
}

/** The dialog that is open: of a part, of a new one in another, or before a removal. */
type Opened = Readonly<{ kind: Kind; part?: Part; into?: string; isRemoval?: true }>;
type ArrangedProps = Readonly<{ isAdmin: boolean; place: SitePlace; structure: Structure }>;

function Arranged({ isAdmin, place, structure }: ArrangedProps) {
  const parts = useMemo(() => partsOf(structure), [structure]);
  const [opened, setOpened] = useState<Opened>();
  const refresh = siteKey(place);
  const move = changing(
    ({ part, into, at }: Readonly<{ part: Part; into: string; at?: number | undefined }>) =>
      movePart(place, parts, part, into, at).then(() => part),
    { refresh, done: ({ title }) => words.moved(title) },
  );
  const moveTo = (part: Part, into: string, at?: number): Promise<void> =>
    move({ part, into, at }).then(() => undefined, showFault);
  const close = (): void => setOpened(undefined);
  return (
    <Stack>
      {isAdmin && <AddMenu hasSections={structure.type === 'sections'} onAdd={(kind) => setOpened({ kind })} />}
      {parts.items.size === 0 ? (
        <EmptyScreen title={words.empty} text={words.emptyText} />
      ) : (
        <Box h="min(32rem, 65vh)" display="flex">
          <Tree<Part>
            label={words.label}
            forest={parts}
            current={undefined}
            storageKey={`bindery.structure.${place.siteId}`}
            openAtFirst={[...parts.children.keys()]}
            nameOf={({ title }) => title}
            takesChildren={({ object }) => object === 'site-section' || object === 'site-section-group'}
            icon={(part) => <PartIcon part={part} />}
            marks={(part) => <Marks part={part} />}
            markNames={(part) => marksOf(part).map((mark) => words[mark])}
            onOpen={(part) => isAdmin && setOpened({ kind: part.object, part })}
            togglesOnClick={!isAdmin}
            mayTake={(into, part) => fits(parts, into, part)}
            {...(isAdmin && {
              mayMove: () => true,
              onMove: moveTo,
              menu: (part: Part) => <PartMenu {...{ place, parts, part, moveTo }} onOpen={setOpened} />,
            })}
          />
        </Box>
      )}
      {isAdmin && parts.items.size > 0 && <Note>{words.hint}</Note>}
      {opened?.isRemoval && opened.part ? (
        <Removal place={place} part={opened.part} onClose={close} />
      ) : (
        opened && <PartDialog place={place} parts={parts} {...opened} onClose={close} />
      )}
    </Stack>
  );
}

type AddMenuProps = Readonly<{ hasSections: boolean; onAdd: (kind: Kind) => void }>;

function AddMenu({ hasSections, onAdd }: AddMenuProps) {
  const kinds = hasSections
    ? (['site-section', 'site-section-group', 'site-external-link'] as const)
    : (['site-space', 'site-section', 'site-section-group'] as const);
  return (
    <Box>
      <DropMenu position="bottom-start" target={<Button label={words.add} leftSection={<IconAdd />} />}>
        {kinds.map((kind) => (
          <MenuItem key={kind} label={words.addOne[kind]} onClick={() => onAdd(kind)} />
        ))}
      </DropMenu>
    </Box>
  );
}

function PartIcon({ part }: Readonly<{ part: Part }>) {
  const Icon = ICONS[part.object];
  const icon = part.object === 'site-space' ? undefined : part.icon;
  return <PageIcon icon={icon} fallback={<Icon className="page-icon" />} />;
}

const MARKS = { default: IconDefault, draft: IconDraft, conditional: IconConditional };

function marksOf(part: Part): (keyof typeof MARKS)[] {
  const isDefault = (part.object === 'site-space' || part.object === 'site-section') && part.default;
  const isConditional = part.object !== 'site-section-group' && (part.condition ?? '') !== '';
  const marks = { default: isDefault, draft: part.draft, conditional: isConditional };
  return (Object.keys(MARKS) as (keyof typeof MARKS)[]).filter((mark) => marks[mark]);
}

function Marks({ part }: Readonly<{ part: Part }>) {
  return marksOf(part).map((mark) => {
    const Icon = MARKS[mark];
    return (
      <Tooltip key={mark} label={words[mark]}>
        <Icon className="page-icon" aria-hidden={false} role="img" aria-label={words[mark]} />
      </Tooltip>
    );
  });
}

interface PartMenuProps {
  readonly place: SitePlace;
  readonly parts: Parts;
  readonly part: Part;
  readonly moveTo: (part: Part, into: string, at: number) => Promise<void>;
  readonly onOpen: (opened: Opened) => void;
}

/** The actions on a part of the structure. */
function PartMenu({ place, parts, part, moveTo, onOpen }: PartMenuProps) {
  const { object: kind, id, title, draft } = part;
  const refresh = siteKey(place);
  const run = (work: () => Promise<unknown>, done?: string) => () =>
    void changing(work, { refresh, done })().catch(showFault);
  const parent = parts.parents.get(id) ?? ROOT;
  const siblings = childrenOf(parts, parent);
  const at = siblings.indexOf(id);
  const url = 'urls' in part ? part.urls.published : part.object === 'site-external-link' ? part.url : undefined;
  const makesDefault = (part.object === 'site-space' || part.object === 'site-section') && !part.default;
  return (
    <>
      <MenuItem label={words.settings} onClick={() => onOpen({ kind, part })} />
      {url !== undefined && (
        <Menu.Item component="a" href={url}>
          {words.open}
        </Menu.Item>
      )}
      {kind === 'site-section' && (
        <MenuItem label={words.addVariant} onClick={() => onOpen({ kind: 'site-space', into: id })} />
      )}
      {kind === 'site-section-group' && (
        <>
          <MenuItem label={words.addOne[kind]} onClick={() => onOpen({ kind, into: id })} />
          <MenuItem
            label={words.addOne['site-external-link']}
            onClick={() => onOpen({ kind: 'site-external-link', into: id })}
          />
        </>
      )}
      {part.object === 'site-space' && (
        <MenuItem
          label={words.duplicate}
          onClick={run(
            () => send('post', `${SITE}/site-spaces/{siteSpaceId}/duplicate`, { ...place, siteSpaceId: id }, {}),
            words.duplicated(title),
          )}
        />
      )}
      <Menu.Divider />
      {makesDefault && (
        <MenuItem label={words.makeDefault} onClick={run(() => makeDefault(place, part), words.defaultChanged)} />
      )}
      <MenuItem
        label={draft ? words.endDraft : words.makeDraft}
        onClick={run(() => send('patch', PATHS[kind], pathOf(place, part), { draft: !draft }))}
      />
      {at > 0 && <MenuItem label={words.up} onClick={() => void moveTo(part, parent, at - 1)} />}
      {at < siblings.length - 1 && <MenuItem label={words.down} onClick={() => void moveTo(part, parent, at + 1)} />}
      <Menu.Divider />
      <MenuItem label={words.remove} color="red" onClick={() => onOpen({ kind, part, isRemoval: true })} />
    </>
  );
}

/** A section is shown first in its site, and a space in its section, or in a site without sections. */
function makeDefault(place: SitePlace, part: Part): Promise<unknown> {
  if (part.object === 'site-space' && part.section !== undefined)
    return send(
      'patch',
      `${SITE}/sections/{siteSectionId}`,
      { ...place, siteSectionId: part.section },
      { defaultSiteSpace: part.id },
    );
  return send(
    'patch',
    SITE,
    place,
    part.object === 'site-space' ? { defaultSiteSpace: part.id } : { defaultSiteSection: part.id },
  );
}

type RemovalProps = Readonly<{ place: SitePlace; part: Part; onClose: () => void }>;

function Removal({ place, part, onClose }: RemovalProps) {
  const remove = (): Promise<unknown> => send('delete', PATHS[part.object], pathOf(place, part));
  return (
    <FormDialog
      title={words.removeTitle(part.title)}
      text={words.removeText[part.object]}
      action={words.remove}
      color="red"
      onSubmit={changing(remove, { refresh: siteKey(place), done: words.removed(part.title) })}
      onClose={onClose}
    />
  );
}
