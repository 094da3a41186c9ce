import type { PermissionTable } from './permission-definition.js';

/** The places of the workspace at which modules have screens, and the kind of resource that each place is about. */
export const SCREEN_PLACES = {
  account: 'user',
  organization: 'organization',
  space: 'space',
  site: 'site',
} as const;
export type ScreenPlace = keyof typeof SCREEN_PLACES;

/** The parts of a place: screens have an address of their own, settings are a section among those of the place. */
export const SCREEN_PARTS = ['screen', 'settings'] as const;
export type ScreenPart = (typeof SCREEN_PARTS)[number];

/** A screen of the workspace that a module brings, or a section of its settings. */
export interface ScreenDefinition {
  readonly place: ScreenPlace;
  readonly part?: ScreenPart;
  /** The last part of its address, in small letters: one module alone has it at a place. */
  readonly path: string;
  readonly title: string;
  /** The permission of its place that people need to see it, of this module or of another one. */
  readonly permission: string;
  /** The ES module with `mount`, a file of the folder. */
  readonly script: string;
  /** Style sheets for the screen alone, files of the folder. */
  readonly styles?: readonly string[];
  /** An SVG file of the folder; its shape is shown in the colour of the words beside it. */
  readonly icon?: string;
}

/** The screens of a module, and the folder with their finished files. */
export interface ScreenTable {
  readonly folder: string;
  readonly entries: readonly ScreenDefinition[];
}

/** A screen with the module that brings it. */
export interface BroughtScreen extends ScreenDefinition {
  readonly module: string;
  readonly part: ScreenPart;
}

const NAME = /^[a-z][a-z0-9-]{0,49}$/;
const MODULE = /^[A-Za-z][\w-]{0,99}$/;
const MOST_TITLE = 50;
const MOST_SCREENS = 50;

interface WithScreens {
  readonly name: string;
  readonly screens: ScreenTable | undefined;
}

/**
 * The screens of all modules, in their order. Throws for a path that two screens of a place share, and for a screen that
 * the workspace could not show.
 */
export function screensOf(
  manifests: readonly WithScreens[],
  permissions: ReadonlyMap<string, PermissionTable[keyof PermissionTable]>,
): BroughtScreen[] {
  const owners = new Map<string, string>();
  return manifests.flatMap(({ name: module, screens }) => {
    if (screens === undefined) return [];
    if (!MODULE.test(module))
      throw new Error(`the module ${module} has screens, but its name is no part of an address`);
    if (screens.entries.length > MOST_SCREENS)
      throw new Error(`the module ${module} brings more than ${MOST_SCREENS} screens`);
    return screens.entries.map((entry) => {
      const screen: BroughtScreen = { part: 'screen', ...entry, module };
      const fault = faultOf(screen, permissions);
      if (fault !== undefined) throw new Error(`the screen ${entry.path} of the module ${module} ${fault}`);
      const address = `${screen.place} ${screen.path}`;
      const other = owners.get(address);
      if (other !== undefined)
        throw new Error(
          `the screen ${screen.path} of ${nameOfPlace(screen.place)} is brought twice, by ${other} and by ${module}`,
        );
      owners.set(address, module);
      return screen;
    });
  });
}

function faultOf(screen: BroughtScreen, permissions: ReadonlyMap<string, unknown>): string | undefined {
  const { place, part, path, title, permission } = screen;
  if (!Object.hasOwn(SCREEN_PLACES, place))
    return `is at ${place}: places are ${Object.keys(SCREEN_PLACES).join(', ')}`;
  if (!SCREEN_PARTS.includes(part)) return `is ${part}: it is one of ${SCREEN_PARTS.join(', ')}`;
  if (!NAME.test(path))
    return 'needs a path of small letters, digits and hyphens, which begins with a letter and has at most 50';
  if (title.trim() === '' || title.length > MOST_TITLE) return `needs a title of at most ${MOST_TITLE} characters`;
  if (!permission.startsWith(`${SCREEN_PLACES[place]}:`))
    return `is at ${place}, so its permission begins with ${SCREEN_PLACES[place]}: and is not ${permission}`;
  if (!permissions.has(permission)) return `needs the permission ${permission}, which no module brings`;
  return undefined;
}

const nameOfPlace = (place: ScreenPlace): string => (place === 'account' ? 'the account' : `each ${place}`);
