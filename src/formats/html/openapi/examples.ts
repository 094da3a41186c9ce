import { isObject } from '../../document/checks.js';
import { followed, listAt, objectAt, textAt, type ApiDescription, type ReadonlyJsonObject } from './description.js';
import { schemaView } from './schema.js';
import { xmlOf } from './xml-example.js';

const MAX_DEPTH = 6;
const MAX_VALUES = 300;
const MAX_EXAMPLE = 20_000;

/**
 * An example for a media type in one direction: the one in the specification, else one that is derived from the schema.
 */
export function exampleOf(
  api: ApiDescription,
  type: string,
  media: ReadonlyJsonObject,
  without: 'readOnly' | 'writeOnly',
): string | undefined {
  const given = media['example'] ?? followed(api, Object.values(objectAt(media, 'examples'))[0])?.value['value'];
  const value = given ?? valueOf(api, media['schema'], { left: MAX_VALUES, within: [], without });
  if (value === undefined) return undefined;
  const text =
    typeof value === 'string'
      ? value
      : /[/+]xml\b/i.test(type)
        ? xmlOf(api, media['schema'], value)
        : JSON.stringify(value, undefined, 2);
  return text === undefined || text.length > MAX_EXAMPLE ? undefined : text;
}

interface Making {
  left: number;
  /** Pointers of the enclosing schemas. */
  readonly within: readonly string[];
  /** The properties that are not sent in this direction. */
  readonly without: 'readOnly' | 'writeOnly';
}

/** A value that a schema allows; undefined if none is known. */
function valueOf(api: ApiDescription, schema: unknown, making: Making): unknown {
  const found = followed(api, schema);
  if (
    !found ||
    making.left-- <= 0 ||
    making.within.length > MAX_DEPTH ||
    (found.pointer !== undefined && making.within.includes(found.pointer))
  )
    return undefined;
  const { value } = found;
  if (value[making.without] === true) return undefined;
  const given =
    value['example'] ?? listAt(value, 'examples')[0] ?? value['default'] ?? value['const'] ?? listAt(value, 'enum')[0];
  if (given !== undefined) return given;
  const view = schemaView(api, schema);
  if (!view) return undefined;
  // All nested values share the counters.
  const inside: Making = {
    without: making.without,
    within: [...making.within, found.pointer ?? ''],
    get left() {
      return making.left;
    },
    set left(left: number) {
      making.left = left;
    },
  };
  const [variant] = view.variants?.schemas ?? [];
  if (view.properties.length > 0)
    return Object.fromEntries(
      view.properties.flatMap(({ name, schema: each }) => entry(name, valueOf(api, each, inside))),
    );
  if (variant !== undefined) return valueOf(api, variant, inside);
  if (view.items !== undefined) return [valueOf(api, view.items, inside)].filter((item) => item !== undefined);
  return plainValue(view.type, textAt(value, 'format', 40));
}

function entry(name: string, value: unknown): [string, unknown][] {
  return value === undefined ? [] : [[name, value]];
}

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00',
  email: 'name@example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  uri: 'https://example.com',
  url: 'https://example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

function plainValue(type: string, format: string | undefined): unknown {
  if (/^(integer|number)\b/.test(type)) return 0;
  if (/^boolean\b/.test(type)) return true;
  if (/^string\b/.test(type))
    return (format !== undefined && Object.hasOwn(TEXTS, format) ? TEXTS[format] : undefined) ?? 'text';
  return /^object\b/.test(type) ? {} : /^array\b/.test(type) ? [] : null;
}

/** The media types of a body, JSON first. */
export function mediaOf(content: ReadonlyJsonObject): { readonly type: string; readonly media: ReadonlyJsonObject }[] {
  const all = Object.entries(content).flatMap(([type, media]) =>
    isObject(media) ? [{ type: type.slice(0, 100), media }] : [],
  );
  return all.sort((a, b) => Number(/json/i.test(b.type)) - Number(/json/i.test(a.type))).slice(0, 5);
}
