import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { extensionTexts as words } from '../texts/extensions.js';
import { EmptyScreen, Loaded, ScreenFrame, Section } from '../ui/screens.js';
import { MountedScreen } from './mounted-screen.js';
import { useModuleScreens, type ScreenSubject } from './queries.js';

/** The screen of a module that the address names, in an organization or a space. */
export function ExtensionScreen() {
  const { organizationId, spaceId, screen: path } = useParams({ strict: false });
  const subject = { organizationId, spaceId };
  return (
    <Loaded query={useModuleScreens(subject)}>
      {(screens) => {
        const screen = screens.find((each) => each.part === 'screen' && each.path === path);
        if (!screen) return <EmptyScreen order={1} title={words.none} text={words.noneText} />;
        return (
          <ScreenFrame title={screen.title}>
            <MountedScreen key={screen.path} screen={screen} subject={subject} />
          </ScreenFrame>
        );
      }}
    </Loaded>
  );
}

/** The settings of modules for an organization or a space. */
export function ExtensionSettingsScreen() {
  const { organizationId, spaceId } = useParams({ strict: false });
  return (
    <ScreenFrame title={words.settings}>
      <ExtensionSettings subject={{ organizationId, spaceId }} />
    </ScreenFrame>
  );
}

/** A section for each module that has settings at a place. */
export function ExtensionSettings({ subject }: Readonly<{ subject: ScreenSubject }>) {
  return (
    <Loaded query={useModuleScreens(subject)}>
      {(screens) => {
        const sections = screens.filter(({ part }) => part === 'settings');
        if (sections.length === 0) return <EmptyScreen title={words.noSettings} text={words.noSettingsText} />;
        return (
          <Stack>
            {sections.map((screen) => (
              <Section key={screen.path} title={screen.title} id={screen.path}>
                <MountedScreen screen={screen} subject={subject} />
              </Section>
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}
