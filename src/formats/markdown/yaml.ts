import {
  constructFromEvents,
  CORE_SCHEMA,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  EVENT_ID,
  getScalarValue,
  mapTag,
  parseEvents,
  seqTag,
  YAMLException,
  type AliasEvent,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';

/** The longest YAML that is read, in characters. */
export const MAX_YAML = 1024 * 1024;
/** Maximum nesting depth of collections. */
const MAX_DEPTH = 100;
/**
 * Maximum number of aliases, and of the nodes that they repeat together: an alias may repeat nodes that contain further
 * aliases.
 */
const MAX_ALIASES = 100;
const MAX_REPEATED = 10_000;

type Events = ReturnType<typeof parseEvents>;

/** YAML 1.2; unknown tags are ignored. */
const SCHEMA = CORE_SCHEMA.withTags(
  defineScalarTag('', { matchByTagPrefix: true, resolve: (source) => source, identify: () => false }),
  defineSequenceTag('', {
    matchByTagPrefix: true,
    create: seqTag.create,
    addItem: seqTag.addItem,
    identify: () => false,
  }),
  defineMappingTag('', {
    matchByTagPrefix: true,
    create: mapTag.create,
    addPair: mapTag.addPair,
    has: mapTag.has,
    keys: mapTag.keys,
    get: mapTag.get,
    identify: () => false,
  }),
);

/** The reason why a text is not valid YAML for this reader, and its line, from 1. */
export class YamlFault extends Error {
  constructor(
    readonly reason: string,
    readonly line: number = 1,
  ) {
    super(line === 1 ? reason : `${reason} at line ${line}`);
  }
}

/** The line and the reason of what `readYaml` threw, apart, for reports that state the line themselves. */
export function yamlFault(error: unknown): { readonly line: number; readonly reason: string } {
  if (error instanceof YamlFault) return error;
  return { line: 1, reason: error instanceof Error ? error.message : 'it is no YAML' };
}

/** Parses YAML, undefined if it is empty, in time proportional to its length. Throws `YamlFault`. */
export function readYaml(source: string): unknown {
  const events = eventsOf(source);
  checkAliases(source, events);
  const documents = told(() => constructFromEvents(events, { source, schema: SCHEMA, maxAliases: MAX_ALIASES }));
  if (documents.length > 1) throw new YamlFault('it has several documents');
  return documents[0];
}

function eventsOf(source: string): Events {
  if (source.length > MAX_YAML) throw new YamlFault(`it has more than ${MAX_YAML} characters`);
  return told(() => parseEvents(source, { maxDepth: MAX_DEPTH }));
}

/** Runs a reader and rewords its faults. */
function told<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof YAMLException) throw new YamlFault(error.reason, error.mark ? error.mark.line + 1 : 1);
    throw error;
  }
}

/** Throws for aliases that expand to more nodes than allowed, or that are recursive. */
function checkAliases(source: string, events: Events): void {
  /** The number of nodes of each anchor, including those that its aliases repeat; none while its collection is open. */
  const nodes = new Map<string | undefined, number>();
  const open: { readonly anchor: string | undefined; count: number }[] = [];
  let repeated = 0;
  const add = (count: number): void => {
    const top = open[open.length - 1];
    if (top) top.count += count;
  };
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) open.push({ anchor: undefined, count: 0 });
    else if (event.type === EVENT_ID.POP) {
      const { anchor, count = 0 } = open.pop() ?? {};
      nodes.set(anchor, count);
      add(count);
    } else if (event.type === EVENT_ID.ALIAS) {
      const count = nodes.get(source.slice(event.anchorStart, event.anchorEnd));
      if (count === undefined)
        throw new YamlFault('an alias refers to a missing anchor, or to itself', lineAt(source, event.anchorStart));
      repeated += count;
      if (repeated > MAX_REPEATED)
        throw new YamlFault(`aliases repeat more than ${MAX_REPEATED} values`, lineAt(source, event.anchorStart));
      add(count);
    } else {
      const anchor = anchorOf(source, event);
      nodes.delete(anchor);
      if (event.type !== EVENT_ID.SCALAR) open.push({ anchor, count: 1 });
      else {
        nodes.set(anchor, 1);
        add(1);
      }
    }
  }
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

function anchorOf(
  source: string,
  { anchorStart, anchorEnd }: ScalarEvent | SequenceEvent | MappingEvent,
): string | undefined {
  return anchorStart < 0 ? undefined : source.slice(anchorStart, anchorEnd);
}

/** A key of a mapping, or an item of a sequence: the offset at which it begins, and the keys inside of its value. */
interface Place {
  readonly offset: number;
  keys: ReadonlyMap<string, Place> | undefined;
}

/** The positions of the keys of a YAML file, and of the items of its sequences by their index; lines count from 1. */
export class YamlLines {
  private readonly keys: ReadonlyMap<string, Place> | undefined;
  /** The offsets at which lines begin. */
  private readonly begins: readonly number[];

  /** The source must be valid for `readYaml`. */
  constructor(source: string) {
    this.keys = placesIn(source, eventsOf(source));
    const begins = [0];
    for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) begins.push(at + 1);
    this.begins = begins;
  }

  /** The line of the key at the end of the path, or of the last existing one. */
  of(...keys: readonly string[]): number {
    return this.find(keys).line;
  }

  /** The line of a redirect, whose path may be written with a slash or `./` before it. */
  ofRedirect(from: string): number {
    const found = [from, `/${from}`, `./${from}`].map((key) => this.find(['redirects', key]));
    return (found.find(({ whole }) => whole) ?? this.find(['redirects'])).line;
  }

  private find(way: readonly string[]): { line: number; whole: boolean } {
    let keys = this.keys;
    let line = 1;
    for (const key of way) {
      const place = keys?.get(key);
      if (!place) return { line, whole: false };
      line = this.lineAt(place.offset);
      keys = place.keys;
    }
    return { line, whole: true };
  }

  private lineAt(offset: number): number {
    let [low, high] = [0, this.begins.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.begins[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

/** An open collection; `key` is the one whose value comes next, undefined if a key does. */
interface Open {
  readonly keys: Map<string, Place>;
  /** True for a sequence, whose items are keyed by their index. */
  readonly listed: boolean;
  key: Place | undefined;
}

/** The keys of the outermost collection, if they are texts or indexes. */
function placesIn(source: string, events: Events): ReadonlyMap<string, Place> | undefined {
  const open: Open[] = [];
  let outermost: ReadonlyMap<string, Place> | undefined;
  const ended = (): void => {
    const top = open[open.length - 1];
    if (top && !top.listed) top.key = top.key === undefined ? { offset: -1, keys: undefined } : undefined;
  };
  const add = (top: Open, name: string, offset: number): void => {
    top.key = { offset, keys: undefined };
    top.keys.set(name, top.key);
  };
  for (const event of events) {
    const top = open[open.length - 1];
    if (event.type === EVENT_ID.DOCUMENT) continue;
    if (event.type === EVENT_ID.POP) {
      open.pop();
      ended();
      continue;
    }
    if (top?.listed) add(top, String(top.keys.size), offsetOf(event));
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
      const keys = new Map<string, Place>();
      if (open.length === 0) outermost = keys;
      if (top?.key) top.key.keys = keys;
      open.push({ keys, listed: event.type === EVENT_ID.SEQUENCE, key: undefined });
    } else if (event.type === EVENT_ID.SCALAR && top && !top.listed && top.key === undefined)
      add(top, getScalarValue(source, event), event.valueStart);
    else ended();
  }
  return outermost;
}

function offsetOf(event: ScalarEvent | SequenceEvent | MappingEvent | AliasEvent): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  return event.type === EVENT_ID.ALIAS ? event.anchorStart : event.start;
}
