import { SegmentedControl, Select, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useWorkspaceTree } from '../../shell/tree-actions.js';
import { texts } from '../../texts/en.js';
import { memberTexts } from '../../texts/members.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { useChange } from '../../ui/forms.js';
import { EmptyScreen, LoadingScreen, Note, NotFoundScreen, ScreenFrame } from '../../ui/screens.js';
import { ListTable, RowName } from '../../ui/tables.js';
import { refreshTree, useOrganization } from '../queries.js';
import { roleName } from '../role-select.js';
import { Grants } from './grants.js';
import { accessKey, changeLevel, useEverybody, type Governed, type GovernedProps } from './queries.js';
import { Why } from './why.js';

const words = memberTexts.access;

/** The people and teams who have access to a space or a collection. */
export function AccessScreen() {
  const organization = useOrganization();
  const { spaceId, collectionId } = useParams({ strict: false });
  const { spaces, collections } = useWorkspaceTree(organization);
  if (!spaces.data || !collections.data) return <LoadingScreen />;
  const thing = [...spaces.data, ...collections.data].find(({ id }) => id === (spaceId ?? collectionId));
  if (!thing) return <NotFoundScreen />;
  return (
    <ScreenFrame title={words.title(thing.title)}>
      <Access thing={thing} />
    </ScreenFrame>
  );
}

/** Everybody with access to a thing, and the roles that were given there. */
export function Access({ thing }: GovernedProps) {
  const { permissions } = useOrganization();
  const [part, setPart] = useState<Part>('everybody');
  if (!permissions.listMembers) return <EmptyScreen title={words.nobody} text={texts.people.people.hidden} />;
  return (
    <Stack>
      <SegmentedControl
        aria-label={words.parts}
        data={PARTS.map((value) => ({ value, label: words.tabs[value] }))}
        value={part}
        onChange={setPart}
      />
      {part === 'everybody' ? <Everybody thing={thing} /> : <Grants key={part} thing={thing} holder={part} />}
    </Stack>
  );
}

const PARTS = ['everybody', 'users', 'teams'] as const;
type Part = (typeof PARTS)[number];

function Everybody({ thing }: GovernedProps) {
  const everybody = useEverybody(thing);
  const [asked, setAsked] = useState<{ readonly id: string; readonly name: string }>();
  return (
    <Stack>
      {thing.object !== 'site' && <Level thing={thing} />}
      <ListTable
        query={everybody}
        empty={<EmptyScreen title={words.nobody} text={words.nobodyText} />}
        columns={[
          { heading: texts.people.people.person, cell: ({ name, email }) => <RowName below={email}>{name}</RowName> },
          { heading: texts.people.people.role, cell: ({ permission }) => roleName(permission) },
          {
            heading: words.why,
            isButtons: true,
            cell: (person) => (
              <SecondaryButton
                label={words.why}
                size="xs"
                aria-label={words.whyOne(person.name)}
                onClick={() => setAsked(person)}
              />
            ),
          },
        ]}
      />
      {asked && <Why thing={thing} person={asked} onClose={() => setAsked(undefined)} />}
    </Stack>
  );
}

const LEVELS = ['inherit', 'none', 'read', 'comment', 'edit', 'review', 'create'] as const;
const LEVEL_DATA = LEVELS.map((value) => ({
  value,
  label: value === 'inherit' || value === 'none' ? words.levels[value] : roleName(value),
}));

/** The access of everybody without a role of their own there. */
function Level({ thing }: GovernedProps) {
  const { organization, permissions } = thing;
  const run = useChange(
    async (level: Governed['defaultLevel']) => {
      await changeLevel(thing, level);
      await refreshTree(organization);
    },
    { refresh: accessKey(thing), done: words.levelChanged },
  );
  const level = (run.isPending ? run.variables : thing.defaultLevel) ?? 'none';
  if (!permissions.admin)
    return <Note>{words.levelIs(LEVEL_DATA.find(({ value }) => value === level)?.label ?? '')}</Note>;
  return (
    <Select
      label={words.level}
      description={words.levelHelp}
      data={LEVEL_DATA}
      value={level}
      disabled={run.isPending}
      maw={320}
      onChange={(chosen) => {
        const wanted = LEVELS.find((each) => each === chosen);
        if (wanted !== undefined) run.mutate(wanted === 'none' ? null : wanted);
      }}
    />
  );
}
