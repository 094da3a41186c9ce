import { Alert, Box, Breadcrumbs, Group, Text } from '@mantine/core';
import { useEffect, type ReactNode, type ComponentType } from 'react';
import { writingTexts } from '../texts/writing.js';
import { PresentBadge, ScreenFrame, Time } from '../ui/screens.js';
import { EditButton } from './edit-button.js';
import { addressOf, spaceOf, useGoTo, useMayWrite, usePlace, usePlaceRequest, useSpace } from './place.js';
import { useQuery } from '@tanstack/react-query';
import IconRequest from '~icons/fa7-solid/code-pull-request';
import IconHistory from '~icons/fa7-solid/clock-rotate-left';
import { LinkButton, TextLink } from '../ui/buttons.js';
import { RestoreSpace } from './history/restore.js';
import { revisionQuery } from './queries.js';

type PlaceFrameProps = Readonly<{ title: string; editFirst: string; actions?: ReactNode; children: ReactNode }>;

/** A screen of a place besides its pages: the way back to them, and the way to edit where nothing can be changed. */
export function PlaceFrame({ title, editFirst, actions, children }: PlaceFrameProps) {
  const mayChange = useMayWrite();
  return (
    <ScreenFrame
      title={title}
      above={
        <Box mb="sm">
          <WayBack />
        </Box>
      }
      actions={mayChange ? actions : <EditButton />}
    >
      {!mayChange && <Alert mb="md">{editFirst}</Alert>}
      {children}
    </ScreenFrame>
  );
}

/** The way back to the pages of a place. */
export function WayBack() {
  const goTo = useGoTo();
  const place = usePlace();
  const space = useSpace();
  const request = usePlaceRequest();
  // The screen of the pages is loaded while this one is looked at.
  useEffect(() => void import('./place-screen.js'), []);
  return (
    <Breadcrumbs>
      <LinkButton label={space.title} size="sm" onClick={() => goTo(addressOf(spaceOf(place)))} />
      {request && (
        <LinkButton
          label={words.inRequest(request.number, request.subject)}
          size="sm"
          onClick={() => goTo(addressOf(place))}
        />
      )}
    </Breadcrumbs>
  );
}

const words = writingTexts.read;

/** Says that what is shown is not the present content of the space. */
export function PlaceBanner() {
  const { organizationId, spaceId, revisionId } = usePlace();
  const request = usePlaceRequest();
  if (revisionId !== undefined) return <RevisionBanner revisionId={revisionId} />;
  if (!request) return null;
  const { status, number, subject } = request;
  return (
    <Banner Icon={IconRequest} text={words.inRequest(number, subject)}>
      {(status === 'merged' || status === 'archived') && <Text size="sm">{words.closed[status]}</Text>}
      <TextLink
        label={words.review}
        size="sm"
        to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId"
        params={{ organizationId, spaceId, changeRequestId: String(number) }}
      />
    </Banner>
  );
}

function RevisionBanner({ revisionId }: Readonly<{ revisionId: string }>) {
  const place = usePlace();
  const space = useSpace();
  const { data: revision } = useQuery(revisionQuery(place));
  const text = (
    <>
      {words.readRevision} {revision && <Time at={revision.createdAt} />}{' '}
      {space.revision === revisionId && <PresentBadge />}
    </>
  );
  return (
    <Banner Icon={IconHistory} text={text}>
      <TextLink label={words.toPresent} size="sm" to="/o/$organizationId/s/$spaceId" params={place} />
      <RestoreSpace revisionId={revisionId} />
    </Banner>
  );
}

function Banner({ Icon, text, children }: Readonly<{ Icon: ComponentType; text: ReactNode; children: ReactNode }>) {
  return (
    <Alert radius={0} py="xs" variant="default" style={{ borderWidth: '0 0 1px' }} icon={<Icon />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {text}
        </Text>
        <Group gap="sm">{children}</Group>
      </Group>
    </Alert>
  );
}
