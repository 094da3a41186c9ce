import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../src/cli/folder/bringing.js';
import { changesBetween, mergeSteps, type Hashes } from '../src/cli/folder/folder-changes.js';
import { hashOf, WorkingFolder, type FolderState } from '../src/cli/folder/working-folder.js';
import { mergeLines, mergeWithMarkers } from '../src/formats/markdown/merge-text.js';

const NAMES = { ours: 'here', theirs: 'there' };

describe('three versions of a text', () => {
  it.each([
    ['a\nb\n-\nc\n', 'a\nB\n-\nc\n', 'a\nb\n-\nC\n', 'a\nB\n-\nC\n', false],
    ['a\nb\nc\n', 'a\nours\nc\n', 'a\ntheirs\nc\n', 'a\n<<<<<<< here\nours\n=======\ntheirs\n>>>>>>> there\nc\n', true],
    ['a\nb\n', 'a\nB\n', 'a\nB\n', 'a\nB\n', false],
    ['a\nb', 'a\nx', 'a\ny', 'a\n<<<<<<< here\nx\n=======\ny\n>>>>>>> there\n', true],
    ['', 'same\nours\n', 'same\n', '', true],
  ])(
    'are merged by lines, with the markers of git around what both have changed (%#)',
    (base, ours, theirs, text, hasConflict) => {
      const merged = mergeWithMarkers(base, ours, theirs, NAMES);
      expect(merged.hasConflict).toBe(hasConflict);
      if (text !== '') expect(merged.text).toBe(text);
    },
  );

  it('have no markers where nothing conflicts, and never lose a line of either side', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 8 });
    const side = lines.map((list) => list.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(side, side, side, (base, ours, theirs) => {
        const merged = mergeWithMarkers(base, ours, theirs, NAMES);
        expect(merged.text.includes('<<<<<<<')).toBe(merged.hasConflict);
        if (!merged.hasConflict) expect(merged.text).toBe(mergeLines(base, ours, theirs).text);
        const sides = [ours, theirs].map((_kept, index) =>
          merged.text.replace(/<<<<<<< here\n([^]*?)=======\n([^]*?)>>>>>>> there\n/g, index === 0 ? '$1' : '$2'),
        );
        expect(mergeLines(base, ours, theirs).text).toBe(sides[1]);
        expect(mergeLines(base, theirs, ours).text).toBe(sides[0]);
      }),
    );
  });
});

const hashes = (files: Readonly<Record<string, string>>): Hashes => new Map(Object.entries(files));

describe('three states of a folder', () => {
  it('give a step for each file that has changed on the server, and leave all others alone', () => {
    const base = hashes({ same: '1', theirs: '1', ours: '1', both: '1', gone: '1', lost: '1', kept: '1', twice: '1' });
    const local = hashes({ same: '1', theirs: '1', ours: '2', both: '2', gone: '1', kept: '2', twice: '2', new: '1' });
    const remote = hashes({ same: '1', theirs: '2', ours: '1', both: '3', lost: '2', twice: '2', more: '1' });
    expect(mergeSteps(base, local, remote)).toEqual([
      { path: 'both', action: 'merge' },
      { path: 'gone', action: 'delete' },
      { path: 'kept', action: 'conflict', reason: 'deleted-there' },
      { path: 'lost', action: 'conflict', reason: 'deleted-here' },
      { path: 'more', action: 'take' },
      { path: 'theirs', action: 'take' },
    ]);
  });

  it('differ by files that are new, changed, gone, or at another path', () => {
    const base = hashes({ a: '1', b: '2', c: '3', d: '3' });
    const now = hashes({ a: '1', b: '4', e: '3', f: '3', g: '3', h: '9' });
    expect(changesBetween(base, now, hashes({ h: '9' }))).toEqual({
      added: ['g'],
      changed: ['b'],
      deleted: [],
      renamed: [
        { from: 'c', to: 'e' },
        { from: 'd', to: 'f' },
      ],
    });
  });
});

describe('a pull that was cut off', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'bindery-spec-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const state: FolderState = {
    version: 1,
    url: 'http://127.0.0.1:1',
    organization: 'o',
    space: 's',
    revision: 'r1',
    left: {},
    conflicts: [],
  };

  async function put(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }

  async function planned(moves: readonly object[]): Promise<WorkingFolder> {
    const folder = await WorkingFolder.make(home);
    await folder.saveState(state);
    await put('.bindery/base/a.md', 'a');
    await put('.bindery/incoming/a.md', 'A');
    await put('.bindery/incoming/b.md', 'B');
    await folder.write('plan.json', JSON.stringify({ state: { ...state, revision: 'r2' }, moves }));
    return folder;
  }

  it('is ended by the next command, once, and leaves what was written meanwhile', async () => {
    const was = hashOf(Buffer.from('a'));
    const folder = await planned([
      { path: 'a.md', from: was, source: 'incoming/a.md' },
      { path: 'sub/b.md', from: null, source: 'incoming/b.md' },
      { path: 'old/c.md', from: hashOf(Buffer.from('c')), source: null },
      { path: 'd.md', from: hashOf(Buffer.from('d')), source: 'incoming/b.md' },
    ]);
    await put('a.md', 'a');
    await put('old/c.md', 'c');
    await put('d.md', 'changed meanwhile');
    for (let times = 0; times < 2; times++) {
      await finish(folder);
      expect((await folder.state()).revision).toBe('r2');
      expect([...(await folder.files()).keys()]).toEqual(['a.md', 'd.md', 'sub/b.md']);
      expect([await readFile(join(home, 'a.md'), 'utf8'), await readFile(join(home, 'd.md'), 'utf8')]).toEqual([
        'A',
        'changed meanwhile',
      ]);
      expect([...(await folder.base()).keys()]).toEqual(['a.md', 'b.md']);
      expect(await folder.has('plan.json')).toBe(false);
    }
  });

  it('writes nothing through symbolic links', async () => {
    const folder = await planned([{ path: 'sub/b.md', from: null, source: 'incoming/b.md' }]);
    await symlink(tmpdir(), join(home, 'sub'));
    await expect(finish(folder)).rejects.toThrow('sub is a symbolic link');
    expect(await folder.has('plan.json')).toBe(true);
  });

  it('keeps other commands out of the folder while one works, and not longer', async () => {
    const folder = await WorkingFolder.make(home);
    await folder.locked(async () => {
      await expect(folder.locked(async () => undefined)).rejects.toThrow('Another command');
    });
    await folder.write('lock', '999999999');
    expect(await folder.locked(async () => 'done')).toBe('done');
  });
});
