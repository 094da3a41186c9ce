import { Grid, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PreviewButton } from './changes/preview-dialog.js';
import { Conversation } from './conversation.js';
import { MergeBox } from './merge-box.js';
import { useRequest } from './queries.js';
import { RequestFrame } from './request-frame.js';
import { RequestDescription } from './request-texts.js';
import { Reviewers } from './reviewers.js';

/** A change request: its discussion, its reviewers, and its merge. */
export function RequestScreen(): ReactNode {
  const { request } = useRequest();
  return (
    <RequestFrame current="conversation">
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <RequestDescription />
            <Conversation />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="md">
            <Group>{(request.status === 'draft' || request.status === 'open') && <PreviewButton />}</Group>
            <Reviewers />
            <MergeBox />
          </Stack>
        </Grid.Col>
      </Grid>
    </RequestFrame>
  );
}
