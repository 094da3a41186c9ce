import { describe, expect, it } from '@jest/globals';
import { HtmlBody, NONCE_MARK } from '../src/publishing/published-sites/pages/html-body.js';
import type { SitePlace } from '../src/publishing/published-sites/pages/site-place.js';
import {
  lastKnown,
  nameOfChange,
  nameOfHeard,
  timeOf,
  type StoredAddress,
} from '../src/publishing/published-sites/pages/stored-address.js';
import { StoredAddresses } from '../src/publishing/published-sites/pages/stored-addresses.js';
import { ALL_PUBLISHED, PublishedVersions } from '../src/publishing/published-sites/published-versions.js';

const SETTINGS = {
  databaseUrl: 'postgres://db.example.com/docs',
  publishedDelaySeconds: 1,
  publishedAwaySeconds: 60,
  publishedPagesDiskMb: 1,
};

describe('the page at a stored address', () => {
  const stored: StoredAddress = {
    version: 'v',
    organizationId: 'one',
    page: 'p',
    state: 's',
    etag: 'e',
    at: 1000,
    writer: 1,
  };
  it('was known to be current when it was read, and for as long as all changes were heard from then on', () => {
    expect(lastKnown(stored, [undefined, undefined], undefined)).toBe(1000);
    expect(lastKnown(stored, [], { since: 900, until: 5000 })).toBe(5000);
    expect(lastKnown(stored, [], { since: 1000, until: 1000 })).toBe(1000);
    expect(lastKnown(stored, [], { since: 500, until: 900 })).toBe(1000);
  });

  it('is known for no longer where something may have been missed since, and not at all after a change', () => {
    expect(lastKnown(stored, [], { since: 1001, until: 5000 })).toBe(1000);
    expect(lastKnown(stored, [{ at: 999 }, undefined], { since: 0, until: 5000 })).toBe(5000);
    for (const at of [1000, 1001, 6000])
      for (const changes of [
        [{ at }, undefined],
        [undefined, { at }],
      ])
        expect(lastKnown(stored, changes, { since: 0, until: 5000 })).toBeUndefined();
  });
});

describe('notes of addresses', () => {
  /** A server with a disk that can be full, and what it has written there. */
  function server(settings = SETTINGS) {
    let tell: (payload: string) => void = () => undefined;
    const announcements = {
      heard: undefined as { since: number; until: number } | undefined,
      listen: (_: string, listener: (payload: string) => void) => ((tell = listener), () => undefined),
      confirm: async () => undefined,
    };
    const versions = new PublishedVersions(announcements, settings);
    const disk = { isFull: false, isBusy: false };
    const notes: [string, object][] = [];
    const kept: { address: string; etag: string; at: number; isTrue: () => boolean }[] = [];
    const addresses = new StoredAddresses(
      settings,
      {
        note: async (name, facts) => (disk.isFull || notes.push([name, facts]), !disk.isFull),
        keepAddress: (address, _place, _key, { etag, at, isTrue }) => (
          disk.isBusy || kept.push({ address, etag, at, isTrue }),
          !disk.isBusy
        ),
      },
      versions,
    );
    addresses.onModuleInit();
    return { addresses, versions, announcements, disk, notes, kept, tell: (payload: string) => tell(payload) };
  }

  const answer = (html: string) => ({ status: 200, headers: {}, body: new HtmlBody(`"${NONCE_MARK}">${html}`) });
  const place = (visit: object): SitePlace =>
    ({ visit: { site: { organizationId: 'one' }, ...visit } }) as unknown as SitePlace;

  it('are made once for as long as a page is known to stand there, and anew after a change', () => {
    const { addresses, versions, announcements, kept, tell } = server();
    const page = answer('one');
    const visit = () => place({ read: versions.now() });
    announcements.heard = { since: performance.now() - 1, until: performance.now() };
    const first = visit();
    addresses.note('a', first, 'key', page);
    addresses.note('a', visit(), 'key', page);
    expect(kept.map(({ address, at }) => [address, at])).toEqual([['a', timeOf(first.visit.read?.at)]]);
    addresses.note('a', visit(), 'key', answer('other'));
    expect(kept).toHaveLength(2);
    expect(kept.map(({ isTrue }) => isTrue())).toEqual([true, true]);
    tell('one');
    expect(kept.map(({ isTrue }) => isTrue())).toEqual([false, false]);
    addresses.note('a', visit(), 'key', answer('other'));
    expect(kept).toHaveLength(3);
  });

  it('are tried again where too much waited, and never made of a stand-in or of what one visitor gets', () => {
    const { addresses, versions, disk, kept } = server();
    disk.isBusy = true;
    addresses.note('a', place({ read: versions.now() }), 'key', answer('one'));
    disk.isBusy = false;
    addresses.note('a', place({ read: versions.now(), isStale: true }), 'key', answer('one'));
    addresses.note('a', place({}), 'key', answer('one'));
    expect(kept).toEqual([]);
    addresses.note('a', place({ read: versions.now() }), 'key', answer('one'));
    expect(kept).toHaveLength(1);
    const off = server({ ...SETTINGS, publishedAwaySeconds: 0 });
    off.addresses.note('a', place({ read: off.versions.now() }), 'key', answer('one'));
    expect(off.kept).toEqual([]);
  });

  it('are confirmed only once each change that was heard is on disk, however late that is', async () => {
    const { addresses, versions, announcements, disk, notes, tell } = server();
    addresses.note('a', place({ read: versions.now() }), 'key', answer('one'));
    announcements.heard = { since: 1, until: performance.now() };
    disk.isFull = true;
    tell('two');
    tell('one');
    await addresses.onModuleDestroy();
    expect(notes).toEqual([]);
    disk.isFull = false;
    await addresses.onModuleDestroy();
    expect(notes.map(([name]) => name)).toEqual([nameOfChange('two'), nameOfChange('one'), nameOfHeard(1)]);
    expect(notes[2]?.[1]).toEqual({ since: timeOf(1), until: timeOf(announcements.heard.until) });
    await addresses.onModuleDestroy();
    expect(notes).toHaveLength(3);
    tell(ALL_PUBLISHED);
    await addresses.onModuleDestroy();
    expect(notes.slice(3).map(([name]) => name)).toEqual([nameOfChange(ALL_PUBLISHED)]);
  });

  it('are all doubtful after more changes than can wait for a disk', async () => {
    const { addresses, versions, disk, notes, tell } = server();
    versions.now();
    disk.isFull = true;
    for (let index = 0; index <= 1000; index++) tell(`organization ${index}`);
    await new Promise((settle) => setImmediate(settle));
    expect(notes).toEqual([]);
    disk.isFull = false;
    await addresses.onModuleDestroy();
    expect(notes.map(([name]) => name)).toEqual([nameOfChange(ALL_PUBLISHED)]);
  });
});
