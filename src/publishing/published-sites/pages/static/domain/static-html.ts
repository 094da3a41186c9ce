import { releaseSpaces, tokenizeHtml, VOID_ELEMENTS, type HtmlEvent } from '../../../../../formats/markdown/html.js';
import { fileAddressesIn, withFileAddresses, type FilePlace } from './file-addresses.js';

/** A part of a page from one heading to the next; that before the first one has no id. */
export interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** The files that a page of a site loads, and its text. */
export interface StaticHtml {
  /** Addresses of files that belong to its content and settings, as they stand there. */
  readonly files: ReadonlySet<string>;
  /** Addresses below the site that are loaded with it: fonts, the frame of diagrams, feeds. */
  readonly assets: ReadonlySet<string>;
  readonly sections: readonly PageSection[];
  /** The page with other addresses of files; those of metadata begin with `origin`. */
  write(files: ReadonlyMap<string, string>, origin: string): string;
}

type Open = Extract<HtmlEvent, { kind: 'open' }>;

const HEADING = /^h[1-6]$/;
/** Elements whose text nobody reads as a part of the page. */
const UNREAD = /^(?:script|style|svg|button|template|annotation)$/;
const BLOCK =
  /^(?:address|article|aside|blockquote|br|dd|details|div|dl|dt|fieldset|figcaption|figure|h[1-6]|hr|li|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/;
const FONT = /url\(["']?([^"')]+)["']?\)/g;

/** Reads a page that the service has rendered. */
export function readStaticHtml(html: string): StaticHtml {
  const events = tokenizeHtml(html);
  const files = new Set<string>();
  const assets = new Set<string>();
  const places = placesOf(events);
  events.forEach((event, index) => {
    const place = places[index];
    if (place !== undefined) for (const address of fileAddressesIn(event.raw, place)) files.add(address);
    if (place === 'style') for (const [, address = ''] of event.raw.matchAll(FONT)) assets.add(address);
    if (event.kind === 'open') for (const address of loadedBy(event)) assets.add(address);
  });
  return {
    files,
    assets,
    sections: sectionsOf(events),
    write: (known, origin) => {
      const whole = new Map([...known].map(([address, path]) => [address, origin + path]));
      return events
        .map((event, index) => {
          const place = places[index];
          if (place === undefined) return event.raw;
          const isMeta = event.kind === 'text' ? place === 'tag' : 'name' in event && event.name === 'meta';
          return withFileAddresses(event.raw, place, isMeta ? whole : known);
        })
        .join('');
    },
  };
}

/** Addresses stand in tags, in style sheets, and in the data of a page for programs, which is quoted like a tag. */
function placesOf(events: readonly HtmlEvent[]): (FilePlace | undefined)[] {
  let inside: FilePlace | undefined;
  return events.map((event) => {
    if (event.kind === 'open') {
      inside = event.name === 'style' ? 'style' : isData(event) ? 'tag' : undefined;
      return 'tag';
    }
    if (event.kind === 'close') inside = undefined;
    return event.kind === 'text' ? inside : undefined;
  });
}

const isData = ({ name, attributes }: Open): boolean =>
  name === 'script' && attributes.get('type') === 'application/ld+json';

/** Addresses of the site that belong to a page although no reader opens them. */
function loadedBy({ name, attributes }: Open): string[] {
  const of = (attribute: string): string[] => {
    const value = attributes.get(attribute);
    return value === undefined ? [] : [value];
  };
  if (name === 'html') return of('data-diagrams');
  if (name === 'script') return of('src');
  if (name === 'form') return of('data-script');
  if (name !== 'link') return [];
  return /^application\/(?:rss|atom)\+xml$/.test(attributes.get('type') ?? '') ||
    /^(?:stylesheet|preload)$/.test(attributes.get('rel') ?? '')
    ? of('href')
    : [];
}

/** The text of the content of a page by its headings. */
function sectionsOf(events: readonly HtmlEvent[]): PageSection[] {
  const sections: { id: string; title: string; text: string }[] = [{ id: '', title: '', text: '' }];
  let depth = 0;
  let unread = 0;
  let heading: string | undefined;
  for (const event of events) {
    if (event.kind === 'open') {
      const isContent = event.attributes.get('class')?.split(' ').includes('content') === true;
      if (depth === 0 && !isContent) continue;
      if (BLOCK.test(event.name)) add(' ');
      if (event.selfClosing || VOID_ELEMENTS.has(event.name)) continue;
      depth++;
      if (unread > 0 || UNREAD.test(event.name)) unread++;
      const id = event.attributes.get('id');
      if (unread === 0 && HEADING.test(event.name) && id !== undefined) {
        sections.push({ id, title: '', text: '' });
        heading = event.name;
      }
    } else if (event.kind === 'close' && depth > 0) {
      depth--;
      if (unread > 0) unread--;
      if (event.name === heading) heading = undefined;
      if (BLOCK.test(event.name)) add(' ');
    } else if (event.kind === 'text' && depth > 0 && unread === 0) add(releaseSpaces(event.value));
  }
  return sections.map(({ id, title, text }) => ({ id, title: line(title), text: line(text) }));

  function add(text: string): void {
    const section = sections.at(-1);
    if (section && heading !== undefined) section.title += text;
    else if (section) section.text += text;
  }
}

function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
