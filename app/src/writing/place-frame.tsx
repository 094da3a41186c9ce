import { Alert, Anchor, Breadcrumbs } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { EditButton } from './edit-button.js';
import { addressOf, spaceOf, useGoTo, useMayWrite, usePlace, usePlaceRequest, useSpace } from './place.js';

type PlaceFrameProps = Readonly<{ title: string; editFirst: string; actions?: ReactNode; children: ReactNode }>;

/** A screen of a place besides its pages: the way back to them, and the way to edit where nothing can be changed. */
export function PlaceFrame({ title, editFirst, actions, children }: PlaceFrameProps): ReactNode {
  const mayChange = useMayWrite();
  return (
    <ScreenFrame title={title} above={<WayBack />} actions={mayChange ? actions : <EditButton />}>
      {!mayChange && (
        <Alert py="xs" mb="md">
          {editFirst}
        </Alert>
      )}
      {children}
    </ScreenFrame>
  );
}

function WayBack(): ReactNode {
  const goTo = useGoTo();
  const place = usePlace();
  const space = useSpace();
  const request = usePlaceRequest();
  // The screen of the pages is loaded while this one is looked at.
  useEffect(() => void import('./place-screen.js'), []);
  return (
    <Breadcrumbs mb="sm">
      <Anchor component="button" size="sm" onClick={() => goTo(addressOf(spaceOf(place)))}>
        {space.title}
      </Anchor>
      {request && (
        <Anchor component="button" size="sm" onClick={() => goTo(addressOf(place))}>
          {texts.writing.read.inRequest(request.number, request.subject)}
        </Anchor>
      )}
    </Breadcrumbs>
  );
}
