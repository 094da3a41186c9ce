import { Card, Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrganization } from '../../people/queries.js';
import { templateTexts as words } from '../../texts/templates.js';
import { ButtonLink, SecondaryButton } from '../../ui/buttons.js';
import { EmptyScreen, Loaded, Note, ScreenFrame } from '../../ui/screens.js';
import { FillSite } from './fill-site.js';
import { templatesQuery } from './queries.js';

/** The templates that spaces, change requests and sites can begin with. */
export function TemplatesScreen() {
  const { id: organizationId, permissions } = useOrganization();
  const [isFilling, setFilling] = useState(false);
  const templates = useQuery(templatesQuery(organizationId));
  return (
    <ScreenFrame
      title={words.title}
      actions={permissions.createContent && <SecondaryButton label={words.site} onClick={() => setFilling(true)} />}
    >
      <Stack>
        <Note>{words.text}</Note>
        <Loaded query={templates}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyScreen title={words.none} text={words.noneText} />
            ) : (
              <Stack component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
                {items.map(({ id, title, description }) => (
                  <Card key={id} component="li" withBorder>
                    <Stack gap="xs">
                      <Title order={2} dir="auto">
                        {title}
                      </Title>
                      <Note><bdi>{description}</bdi></Note>
                      <Group>
                        <ButtonLink
                          label={words.look}
                          aria-label={words.lookAt(title)}
                          to="/o/$organizationId/templates/$templateId"
                          params={{ organizationId, templateId: id }}
                        />
                      </Group>
                    </Stack>
                  </Card>
                ))}
              </Stack>
            )
          }
        </Loaded>
      </Stack>
      {isFilling && <FillSite organizationId={organizationId} onClose={() => setFilling(false)} />}
    </ScreenFrame>
  );
}
