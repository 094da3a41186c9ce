import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Element } from 'hast';
import { s } from 'hastscript';
import { IconNames } from './icon-names.js';
import type { IconStyle } from './render-context.js';

/** The used parts of an icon set in Iconify's format. */
interface IconSet {
  readonly icons: Readonly<
    Record<string, { readonly body: string; readonly width?: number; readonly height?: number }>
  >;
  readonly width?: number;
  readonly height?: number;
}

type SetName = 'solid' | 'regular' | 'brands';

interface Drawing {
  readonly path: string;
  readonly box: string;
  readonly set?: SetName;
}

const sets = new Map<SetName, IconSet>();

/** Reads an icon set on first use: about a megabyte for all sets. */
function iconSet(name: SetName): IconSet {
  const known = sets.get(name);
  if (known) return known;
  const file = createRequire(import.meta.url).resolve(`@iconify-json/fa7-${name}/icons.json`);
  const read = JSON.parse(readFileSync(file, 'utf8')) as IconSet;
  sets.set(name, read);
  return read;
}

/** The substitute for names that no icon is near to: a ring. */
const UNKNOWN: Drawing = {
  path: 'M320 128a192 192 0 1 0 0 384 192 192 0 1 0 0-384zm0 64a128 128 0 1 1 0 256 128 128 0 1 1 0-256z',
  box: '0 0 640 640',
};

/** The width of the lines of icons that are drawn by the outline of their solid form, of which the sets have no other. */
const LINES: Readonly<Record<string, number>> = { light: 28, thin: 14, duotone: 28 };

/**
 * Renders a Font Awesome icon by name as a decorative image. Names may begin with `fa-` or with a style. If an icon is
 * not in the free sets, the nearest one is used: `rocket` for `rocket-launch`, `terminal` for `rectangle-terminal`. Light and thin
 * icons are outlines, those of two tones are outlines on a paler ground.
 */
export function iconElement(given: string, styleOfSite: IconStyle): Element {
  const [, ownStyle, name = ''] =
    /^(?:fa[srlbdt]?[- ])?(?:fa-)?(?:(solid|regular|light|thin|duotone|brands|sharp)[/ ](?:fa-)?)?([a-z0-9-]{1,60})$/i.exec(
      given.trim(),
    ) ?? [];
  const style = ownStyle?.toLowerCase() ?? styleOfSite;
  const { path: d, box, set } = drawingOf(name, style) ?? UNKNOWN;
  const strokeWidth = set === 'solid' ? LINES[style] : undefined;
  const line = { d, fill: 'none', stroke: 'currentColor', strokeWidth };
  return s('svg', { class: 'icon', viewBox: box, ariaHidden: 'true' }, [
    ...(strokeWidth === undefined ? [s('path', { d })] : [s('path', line)]),
    ...(style === 'duotone' && strokeWidth !== undefined ? [s('path', { d, fillOpacity: '.4' })] : []),
  ]);
}

function drawingOf(name: string, style: string): Drawing | undefined {
  const order: readonly SetName[] =
    style === 'brands'
      ? ['brands']
      : style === 'solid' || Object.hasOwn(LINES, style)
        ? ['solid', 'regular', 'brands']
        : ['regular', 'solid', 'brands'];
  const near = nearestOf(name.toLowerCase());
  if (near === undefined) return undefined;
  for (const set of order) {
    const drawing = inSet(iconSet(set), near);
    if (drawing) return { ...drawing, set };
  }
  return undefined;
}

let names: IconNames | undefined;

function nearestOf(name: string): string | undefined {
  names ??= new IconNames((['solid', 'regular', 'brands'] as const).flatMap((set) => Object.keys(iconSet(set).icons)));
  return names.nearest(name);
}

function inSet(
  { icons, width: usualWidth = 640, height: usualHeight = 640 }: IconSet,
  name: string,
): Drawing | undefined {
  const icon = Object.hasOwn(icons, name) ? icons[name] : undefined;
  const path = icon && /^<path fill="currentColor" d="([^"<>]+)"\/>$/.exec(icon.body)?.[1];
  return path === undefined
    ? undefined
    : { path, box: `0 0 ${icon?.width ?? usualWidth} ${icon?.height ?? usualHeight}` };
}
