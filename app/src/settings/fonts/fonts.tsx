import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { send } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { texts } from '../../texts/en.js';
import { settingsTexts } from '../../texts/settings.js';
import { Button, SecondaryButton } from '../../ui/buttons.js';
import { ActionButton, changing, FormDialog } from '../../ui/forms.js';
import { EmptyScreen, Loaded, Note } from '../../ui/screens.js';
import { DataTable, RowName } from '../../ui/tables.js';
import { FontFields, useFontFields } from './face-fields.js';
import { FONT, FONTS, fontsQuery, type Font } from './queries.js';

const words = settingsTexts.fonts;

/** The fonts of an organization, for all of its sites. */
export function Fonts() {
  const { id: organizationId } = useOrganization();
  const fonts = useQuery(fontsQuery(organizationId));
  const [open, setOpen] = useState<Font | 'new'>();
  return (
    <Stack>
      <Note>{words.text}</Note>
      <Group>
        <Button label={words.add} onClick={() => setOpen('new')} />
      </Group>
      <Loaded query={fonts} empty={<EmptyScreen title={words.none} text={words.noneText} />}>
        {(all) => (
          <DataTable
            items={all}
            columns={[
              {
                heading: words.family,
                cell: ({ fontFamily, fontFaces }) => (
                  <RowName below={words.weights(fontFaces.map(({ weight }) => weight))}>
                    <bdi>{fontFamily}</bdi>
                  </RowName>
                ),
              },
              { heading: words.preview, cell: (font) => <Sample font={font} /> },
              {
                heading: texts.people.people.actions,
                isButtons: true,
                cell: (font) => <Buttons organizationId={organizationId} font={font} onChange={setOpen} />,
              },
            ]}
          />
        )}
      </Loaded>
      {open === 'new' && <NewFont organizationId={organizationId} onClose={() => setOpen(undefined)} />}
      {open !== undefined && open !== 'new' && (
        <ChangedFont organizationId={organizationId} font={open} onClose={() => setOpen(undefined)} />
      )}
    </Stack>
  );
}

interface ButtonsProps {
  readonly organizationId: string;
  readonly font: Font;
  readonly onChange: (font: Font) => void;
}

function Buttons({ organizationId, font, onChange }: ButtonsProps) {
  const { id: fontId, fontFamily } = font;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <SecondaryButton
        label={words.change}
        aria-label={words.changeOne(fontFamily)}
        size="xs"
        onClick={() => onChange(font)}
      />
      <ActionButton
        label={texts.common.delete}
        aria-label={words.removeOne(fontFamily)}
        size="xs"
        ask={{
          title: words.removeTitle(fontFamily),
          text: words.removeText,
          action: texts.common.delete,
          color: 'red',
        }}
        action={() => send('delete', FONT, { organizationId, fontId })}
        refresh={fontsQuery(organizationId).queryKey}
        done={words.removed(fontFamily)}
      />
    </Group>
  );
}

/** A sentence in each weight of a font, as soon as its files are loaded. */
function Sample({ font: { id, fontFaces } }: Pick<ButtonsProps, 'font'>) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const family = `sample-${id}`;
  const files = JSON.stringify(fontFaces.map(({ weight, sources }) => [weight, sources[0]?.url]));
  useEffect(() => {
    const faces = (JSON.parse(files) as (readonly [number, string])[]).map(
      ([weight, url]) => new FontFace(family, `url(${JSON.stringify(url)})`, { weight: String(weight) }),
    );
    let isGone = false;
    Promise.all(faces.map((face) => face.load())).then(
      () => !isGone && setState('loaded'),
      () => !isGone && setState('failed'),
    );
    for (const face of faces) document.fonts.add(face);
    return () => {
      isGone = true;
      for (const face of faces) document.fonts.delete(face);
    };
  }, [family, files]);
  if (state === 'failed') return <Note>{words.unreadable}</Note>;
  return (
    <Stack gap={0} data-state={state}>
      {fontFaces.map(({ weight }) => (
        <Text key={weight} ff={family} fw={weight}>
          {words.sample}
        </Text>
      ))}
    </Stack>
  );
}

type DialogProps = Readonly<{ organizationId: string; onClose: () => void }>;

function NewFont({ organizationId, onClose }: DialogProps) {
  const { isReady, upload, noting, fields } = useFontFields();
  const make = async (): Promise<void> => {
    const { fontFamily, added } = await upload(organizationId);
    await send('put', FONTS, { organizationId }, { fontFamily, fontFaces: added });
  };
  return (
    <FormDialog
      title={words.add}
      action={words.addAction}
      size="lg"
      disabled={!isReady}
      onSubmit={noting(changing(make, { refresh: fontsQuery(organizationId).queryKey, done: words.added }))}
      onClose={onClose}
    >
      <FontFields {...fields} />
    </FormDialog>
  );
}

function ChangedFont({ organizationId, font, onClose }: DialogProps & Pick<ButtonsProps, 'font'>) {
  const { isReady, upload, noting, fields } = useFontFields(font);
  const save = async (): Promise<void> => {
    const { fontFamily, added, removed } = await upload(organizationId);
    const fontFaces = [...added, ...removed.map((weight) => ({ weight, storageKey: null }))];
    await send('post', FONT, { organizationId, fontId: font.id }, { fontFamily, fontFaces });
  };
  return (
    <FormDialog
      title={words.changeOne(font.fontFamily)}
      text={words.changeText}
      action={texts.common.save}
      size="lg"
      disabled={!isReady}
      onSubmit={noting(changing(save, { refresh: fontsQuery(organizationId).queryKey, done: settingsTexts.saved }))}
      onClose={onClose}
    >
      <FontFields {...fields} />
    </FormDialog>
  );
}
