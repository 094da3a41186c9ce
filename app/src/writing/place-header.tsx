import { Anchor, Breadcrumbs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { addressOf, useGoTo, type Place } from './place.js';
import { requestQuery, spaceQuery } from './queries.js';

/** The way back from a screen to the pages of its place. */
export function PlaceHeader({ place }: { readonly place: Place }): ReactNode {
  const goTo = useGoTo();
  const { organizationId, spaceId, changeRequestId = '' } = place;
  const { data: space } = useQuery(spaceQuery(spaceId));
  const { data: request } = useQuery({ ...requestQuery(spaceId, changeRequestId), enabled: changeRequestId !== '' });
  const { inRequest, noSubject } = texts.writing.read;
  return (
    <Breadcrumbs>
      <Anchor component="button" size="sm" onClick={() => goTo(addressOf({ organizationId, spaceId }))}>
        {space?.title ?? texts.writing.pages}
      </Anchor>
      {request && (
        <Anchor component="button" size="sm" onClick={() => goTo(addressOf(place))}>
          {inRequest(request.number, request.subject === '' ? noSubject : request.subject)}
        </Anchor>
      )}
    </Breadcrumbs>
  );
}
