import { NavLink, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import IconExtension from '~icons/fa7-solid/puzzle-piece';
import { extensionTexts as words } from '../texts/extensions.js';
import { TextLink } from '../ui/buttons.js';
import { useModuleScreens, type ModuleScreen, type ScreenSubject } from './queries.js';
import './extension-links.css';

/** The address of a screen, or of the settings of all modules, within its place. */
export interface ExtensionLink {
  readonly label: string;
  /** The last part of the address; undefined for the settings. */
  readonly screen?: string;
  readonly icon?: string | undefined;
}

/** The ways to the screens of modules at a place, and one to their settings where there are some. */
export function useExtensionLinks(subject: ScreenSubject): readonly ExtensionLink[] {
  const { data: screens = [] } = useModuleScreens(subject);
  const hasSettings = screens.some(({ part }) => part === 'settings');
  return [
    ...screens.filter(({ part }) => part === 'screen').map(linkTo),
    ...(hasSettings ? [{ label: words.settings }] : []),
  ];
}

const linkTo = ({ title, path, urls }: ModuleScreen): ExtensionLink => ({
  label: title,
  screen: path,
  icon: urls.icon,
});

/** The shape of an icon of a module, in the colour of the words beside it. */
export function ExtensionIcon({ icon }: Readonly<{ icon?: string | undefined }>) {
  if (icon === undefined) return <IconExtension />;
  return <span className="extension-icon" aria-hidden style={{ maskImage: `url(${JSON.stringify(icon)})` }} />;
}

const ScreenLink = createLink((props: NavLinkProps) => <NavLink component="a" {...props} />);

/** The screens of modules in an organization, for the sidebar. */
export function OrganizationExtensionLinks({ organizationId }: Readonly<{ organizationId: string }>) {
  return useExtensionLinks({ organizationId }).map(({ label, screen, icon }) => (
    <ScreenLink
      key={screen ?? ''}
      to={screen === undefined ? '/o/$organizationId/extensions' : '/o/$organizationId/extensions/$screen'}
      params={{ organizationId, screen: screen ?? '' }}
      activeOptions={{ exact: true }}
      label={label}
      leftSection={<ExtensionIcon icon={icon} />}
    />
  ));
}

/** The screens of modules in a space, below its pages. */
export function SpaceExtensionLinks({
  organizationId,
  spaceId,
}: Readonly<{ organizationId: string; spaceId: string }>) {
  const base = '/o/$organizationId/s/$spaceId/~/extensions';
  return useExtensionLinks({ organizationId, spaceId }).map(({ label, screen }) => (
    <TextLink
      key={screen ?? ''}
      label={label}
      size="sm"
      to={screen === undefined ? base : `${base}/$screen`}
      params={{ organizationId, spaceId, screen: screen ?? '' }}
    />
  ));
}
