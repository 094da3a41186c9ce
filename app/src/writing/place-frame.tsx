import { Alert, Anchor, Breadcrumbs } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { EditButton } from './edit-button.js';
import { addressOf, useGoTo, useMayWrite, usePlace, usePlaceRequest, useSpace } from './place.js';

/** A screen of a place besides its pages: the way back to them, and the way to edit where nothing can be changed. */
export function PlaceFrame(
  props: Readonly<{ title: string; editFirst: string; actions?: ReactNode; children: ReactNode }>,
): ReactNode {
  const mayChange = useMayWrite();
  return (
    <ScreenFrame title={props.title} above={<WayBack />} actions={mayChange ? props.actions : <EditButton />}>
      {!mayChange && (
        <Alert py="xs" mb="md">
          {props.editFirst}
        </Alert>
      )}
      {props.children}
    </ScreenFrame>
  );
}

function WayBack(): ReactNode {
  const goTo = useGoTo();
  const place = usePlace();
  const { organizationId, spaceId } = place;
  const space = useSpace();
  const request = usePlaceRequest();
  return (
    <Breadcrumbs mb="sm">
      <Anchor component="button" size="sm" onClick={() => goTo(addressOf({ organizationId, spaceId }))}>
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
