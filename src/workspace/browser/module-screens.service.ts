import { Injectable, type OnModuleInit } from '@nestjs/common';
import { allows, type PermissionKey, type Rights } from '../../kernel/access/permissions.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import type { BroughtScreen, ScreenPlace } from '../../kernel/platform/manifest/screen-definition.js';
import { readScreenFolder, type ScreenFile, type ScreenFolder } from './screen-files.js';

/** The folder of files of modules below the address of the workspace. */
const FILES = '/extensions';
/** Browsers load a script and style sheets of these types only. */
const SCRIPT = 'text/javascript';
const STYLE = 'text/css';
const ICON = 'image/svg+xml';

/** A screen for a caller who may see it, with the addresses of its files. */
export interface OfferedScreen extends BroughtScreen {
  readonly urls: { readonly script: string; readonly styles: readonly string[]; readonly icon: string | undefined };
}

/**
 * The screens that modules bring, and their files. All files are read once at the start: what is sent is what their
 * address has the hash of, whatever becomes of the folder.
 */
@Injectable()
export class ModuleScreens implements OnModuleInit {
  private readonly folders = new Map<string, ScreenFolder>();

  constructor(
    private readonly registry: Registry,
    private readonly addresses: Addresses,
    private readonly pages: Pages,
  ) {}

  async onModuleInit(): Promise<void> {
    for (const { name, screens } of this.registry.manifests) {
      if (screens === undefined) continue;
      const folder = await readScreenFolder(name, screens.folder);
      for (const { path, script, styles = [], icon } of screens.entries) {
        requireFile(name, path, folder, script, SCRIPT);
        for (const style of styles) requireFile(name, path, folder, style, STYLE);
        if (icon !== undefined) requireFile(name, path, folder, icon, ICON);
      }
      this.folders.set(name, folder);
    }
  }

  /** The places at which modules have screens. */
  get places(): readonly ScreenPlace[] {
    return [...new Set(this.registry.screens.map(({ place }) => place))];
  }

  /** The screens of a place that somebody with these rights on it may see, in the order of the modules. */
  list(place: ScreenPlace, rights: Rights, request: PageRequest): Page<OfferedScreen> {
    const screens = this.registry.screens.map((screen, order) => ({ screen, order }));
    return this.pages
      .ofKnown(request, {
        scope: ['module-screens', place],
        items: screens.filter(
          ({ screen }) => screen.place === place && allows(screen.permission as PermissionKey, rights),
        ),
        keys: ({ order }) => [order],
        direction: 'asc',
      })
      .map(({ screen }) => this.offered(screen));
  }

  /** The file at a path below the address of the workspace; undefined for one that was never read. */
  fileAt(path: string): ScreenFile | undefined {
    const [, , module = '', digest, ...rest] = path.split('/');
    const folder = this.folders.get(module);
    return folder?.digest === digest ? folder?.files.get(rest.join('/')) : undefined;
  }

  private offered(screen: BroughtScreen): OfferedScreen {
    const digest = this.folders.get(screen.module)?.digest ?? '';
    const at = (file: string): string => this.addresses.app(`${FILES}/${screen.module}/${digest}/${file}`);
    const { script, styles = [], icon } = screen;
    return {
      ...screen,
      urls: { script: at(script), styles: styles.map(at), icon: icon === undefined ? undefined : at(icon) },
    };
  }
}

/** Tells whether a path below the address of the workspace is one of files of modules. */
export function isScreenFilePath(path: string): boolean {
  return path.startsWith(`${FILES}/`);
}

function requireFile(module: string, screen: string, { files }: ScreenFolder, path: string, type: string): void {
  if (files.get(path)?.type.startsWith(type) !== true)
    throw new Error(`the screen ${screen} of the module ${module} names ${path}, and its folder has no such ${type}`);
}
