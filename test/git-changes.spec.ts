import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpClient } from 'isomorphic-git';
import httpNode from 'isomorphic-git/http/node';
import {
  fetchSince,
  filesBelow,
  NotFetched,
  type ChangedFiles,
} from '../src/authoring/interchange/git/changed-files.js';
import { guardedGitSsh, newDeployKey } from '../src/authoring/interchange/git/guarded-ssh.js';
import { keepTexts, type KeptCommit } from '../src/authoring/interchange/git/kept-commit.js';
import { fetchCommit, newRepository, PACK_LIMITS, withCheckout } from '../src/authoring/interchange/git/repository.js';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';
import { Outbound } from '../src/kernel/platform/outbound/outbound.js';
import { data, describeWithGit, GitHttpBackend, type FolderRepository } from './git-http-backend.js';
import { GitServer } from './git-server.js';
import { describeWithSsh, GitSshServer } from './git-ssh.js';

const MAIN = 'refs/heads/main';
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`;
const LINES = Array.from({ length: 300 }, (_, line) => `Line ${line} of a long page, ${(line * 7919) % 1000}.`);

const long = (changed: number): string =>
  `# Long\n\n${LINES.map((line, at) => (at === changed ? `${line} Changed.` : line)).join('\n\n')}\n`;
/** The entries of a commit as `git fast-import` has them. */
const file = (path: string, text: string, mode = '100644'): (string | Uint8Array)[] => [
  `M ${mode} inline ${path}\n`,
  ...data(text),
];
const submodule = (path: string, digit: string): string => `M 160000 ${digit.repeat(40)} ${path}\n`;

const FIRST = [
  ...file('docs/README.md', '# Home\n'),
  ...file('docs/SUMMARY.md', '* [Home](README.md)\n'),
  ...file('docs/long.md', long(-1)),
  ...file('docs/a.md', '# A\n'),
  ...file('docs/a/b.md', '# B\n'),
  ...file('docs/a/c.md', '# C\n'),
  ...file('docs/node_modules/left.md', '# Left\n'),
  ...file('docs/image.png', POINTER),
  ...file('docs/linked.md', 'a.md', '120000'),
  ...file('docs/Case.md', '# Case\n'),
  ...file('docs/case.md', '# Other case\n'),
  ...file('code/main.c', 'int main;\n'),
  submodule('docs/module', '1'),
];
const SECOND = [
  ...file('docs/long.md', long(7)),
  ...file('docs/new/page.md', '# New\n'),
  'D docs/a/c.md\n',
  'R docs/a/b.md docs/b.md\n',
  'D docs/linked.md\n',
  ...file('docs/link2.md', 'b.md', '120000'),
  ...file('docs/large.png', POINTER.replace('12345', '54321')),
  submodule('docs/module', '2'),
];

class Commits {
  private seconds = 1_700_000_000;

  constructor(readonly repository: FolderRepository) {}

  /** Adds a commit a minute later than the last one, on top of others; gives its id. */
  async add(ref: string, entries: readonly (string | Uint8Array)[], ...parents: string[]): Promise<string> {
    const author = `Writer <writer@example.com> ${(this.seconds += 60)} +0000`;
    const [from, ...merged] = parents;
    await this.repository.fastImport([
      `reset ${ref}\n\ncommit ${ref}\nauthor ${author}\ncommitter ${author}\n`,
      ...data('A commit\n'),
      from === undefined ? '' : `from ${from}\n`,
      ...merged.map((oid) => `merge ${oid}\n`),
      ...entries,
    ]);
    return (await this.repository.git('rev-parse', ref)).trim();
  }
}

/** Counts the bytes of packs that pass through a client. */
function counting(http: HttpClient): HttpClient & { bytes: number } {
  const counted = {
    bytes: 0,
    request: async (request: Parameters<HttpClient['request']>[0]) => {
      const answer = await http.request(request);
      const parts: Uint8Array[] = [];
      for await (const part of answer.body ?? []) parts.push(part);
      if (request.method === 'POST') counted.bytes += Buffer.concat(parts).length;
      return {
        ...answer,
        body: (async function* () {
          yield* parts;
        })(),
      };
    },
  };
  return counted;
}

const keep = (url: string, http: HttpClient, ref = MAIN): Promise<KeptCommit> =>
  withCheckout({ url, ref, keep: true }, http, async ({ kept }) => {
    if (kept === undefined) throw new Error('nothing is kept');
    return kept;
  });

/** Makes sure that changes say what a whole checkout says; gives the paths of what was not fetched. */
async function requireWhole(changed: ChangedFiles, url: string, http: HttpClient): Promise<string[]> {
  return withCheckout({ url, ref: MAIN, keep: true }, http, async (whole) => {
    expect(changed.commit).toEqual(whole.commit);
    expect([...changed.objects]).toEqual([...whole.objects]);
    expect(changed.refused).toEqual(whole.refused);
    expect(changed.kept?.oid).toBe(whole.commit.oid);
    const { files } = await readFolder(whole.folder);
    const found = filesBelow('', changed.files);
    expect([...found.keys()]).toEqual([...files.keys()]);
    const absent: string[] = [];
    for (const [path, each] of found) {
      try {
        const bytes = await each.read();
        expect(bytes.equals((await files.get(path)?.read()) ?? Buffer.alloc(0))).toBe(true);
      } catch (error) {
        if (!(error instanceof NotFetched)) throw error;
        absent.push(path);
      }
    }
    return absent;
  });
}

describeWithGit('what a branch has got since a commit', () => {
  let server: GitHttpBackend;
  let serial = 0;
  beforeAll(async () => {
    server = await GitHttpBackend.start();
  });
  afterAll(() => server.stop());

  async function begin() {
    const name = `docs${serial++}`;
    const commits = new Commits(await server.create(name));
    const first = await commits.add(MAIN, FIRST);
    const url = `${server.url}/${name}.git`;
    return { commits, first, url, kept: await keep(url, httpNode) };
  }
  const UNCHANGED = ['code/main.c', 'docs/Case.md', 'docs/README.md', 'docs/SUMMARY.md', 'docs/a.md', 'docs/image.png'];

  it('is fetched alone, and says what the whole says: changes, renames, links, submodules, pointers', async () => {
    const { commits, first, url, kept } = await begin();
    await commits.add(MAIN, SECOND, first);
    // The changed page becomes a difference to the kept one, or the other way round.
    await commits.repository.git('gc', '--quiet');
    await commits.repository.git('update-ref', MAIN, (await commits.repository.git('rev-parse', MAIN)).trim());
    const http = counting(httpNode);
    const changed = await fetchSince({ url, ref: MAIN }, kept, http);
    const whole = counting(httpNode);
    // Git knows by its bitmaps that a renamed page is there, and by its trees alone that it is not.
    const absent = await requireWhole(changed, url, whole);
    expect(absent.filter((path) => path !== 'docs/b.md')).toEqual(UNCHANGED);
    expect(http.bytes).toBeLessThan(whole.bytes);
    expect([...filesBelow('docs/new', changed.files).keys()]).toEqual(['page.md']);
  });

  it('has the texts that are kept with the commit', async () => {
    const { commits, first, url, kept } = await begin();
    await commits.add(MAIN, SECOND, first);
    const more = await keepTexts(kept, [Buffer.from('* [Home](README.md)\n'), Buffer.from(POINTER)]);
    const changed = await fetchSince({ url, ref: MAIN }, more, httpNode);
    expect(await requireWhole(changed, url, httpNode)).toEqual(
      UNCHANGED.filter((path) => path !== 'docs/SUMMARY.md' && path !== 'docs/image.png'),
    );
  });

  it('goes back to the commit and no further where older branches are merged', async () => {
    const { commits, first, url } = await begin();
    let side = first;
    for (let commit = 0; commit < 5; commit++)
      side = await commits.add('refs/heads/side', file('docs/long.md', long(commit)), side);
    const main = await commits.add(MAIN, file('docs/new.md', '# New\n'), first);
    const kept = await keep(url, httpNode);
    await commits.add(MAIN, file('docs/long.md', long(99)), main, side);
    const changed = await fetchSince({ url, ref: MAIN }, kept, httpNode);
    expect(await requireWhole(changed, url, httpNode)).toHaveLength(9);
    const again = await fetchSince({ url, ref: MAIN }, changed.kept ?? kept, httpNode);
    expect(await requireWhole(again, url, httpNode)).toHaveLength(10);
  });

  it('is all of it where the commit is gone, or is on no branch any more', async () => {
    const { commits, first, url, kept } = await begin();
    await commits.add(MAIN, [...FIRST, ...SECOND.slice(0, 4)]);
    const changed = await fetchSince({ url, ref: MAIN }, kept, httpNode);
    await requireWhole(changed, url, httpNode);
    await commits.repository.git('reflog', 'expire', '--expire=now', '--all');
    await commits.repository.git('gc', '--quiet', '--prune=now');
    await commits.repository.git('update-ref', MAIN, (await commits.repository.git('rev-parse', MAIN)).trim());
    await expect(commits.repository.git('cat-file', '-e', first)).rejects.toThrow();
    const rest = await fetchSince({ url, ref: MAIN }, kept, httpNode);
    expect(await requireWhole(rest, url, httpNode)).toEqual([]);
  });

  it('is refused where it brings back what was there before the commit', async () => {
    const { commits, first, url } = await begin();
    const second = await commits.add(MAIN, file('docs/long.md', long(7)), first);
    const kept = await keep(url, httpNode);
    await commits.add(MAIN, file('docs/long.md', long(-1)), second);
    await commits.repository.git('repack', '-adq', '--write-bitmap-index');
    // A server with bitmaps trusts that whoever has a commit has all before it.
    const found = await fetchSince({ url, ref: MAIN }, kept, httpNode).catch((error: unknown) => error);
    if (found instanceof Error) expect(found).toMatchObject({ code: 'NotFoundError' });
    else expect(await requireWhole(found as ChangedFiles, url, httpNode)).not.toContain('docs/long.md');
  });

  it('is not believed where what is kept was damaged', async () => {
    const { commits, first, url, kept } = await begin();
    await commits.add(MAIN, SECOND, first);
    const pack = Buffer.from(kept.pack);
    pack[pack.length >> 1] = (pack[pack.length >> 1] ?? 0) ^ 1;
    await expect(fetchSince({ url, ref: MAIN }, { ...kept, pack }, httpNode)).rejects.toThrow();
    const other = { ...kept, oid: '1'.repeat(40) };
    await expect(fetchSince({ url, ref: MAIN }, other, httpNode)).rejects.toThrow('lacks it');
  });
});

describe('a server that sends everything', () => {
  it('is read as well', async () => {
    const server = await GitServer.start();
    try {
      const repository = await server.create('docs');
      const url = `${server.url}/docs.git`;
      await repository.commit(MAIN, 'Begin\n', { 'README.md': '# Home\n', 'a.md': '# A\n' });
      const kept = await keep(url, httpNode);
      await repository.commit(MAIN, 'Go on\n', { 'README.md': '# Changed\n', 'a.md': '# A\n' });
      const changed = await fetchSince({ url, ref: MAIN }, kept, httpNode);
      expect(await requireWhole(changed, url, httpNode)).toEqual([]);
      server.answers.set('/docs.git/git-upload-pack', (response) => response.writeHead(500).end());
      await expect(fetchSince({ url, ref: MAIN }, kept, httpNode)).rejects.toThrow('answered 500');
      const reference = (status: number, body = '') =>
        server.answers.set('/docs.git/info/refs', (response) =>
          response.writeHead(status, { 'content-type': 'application/x-git-upload-pack-advertisement' }).end(body),
        );
      for (const [status, body, message] of [
        [401, '', 'answered 401: the credentials are missing, or not accepted'],
        [403, '', 'answered 403: the credentials do not allow it'],
        [404, '', 'answered 404: there is no repository at this address, or the credentials do not show it'],
        [503, '', 'answered 503'],
        [200, '', 'an invalid response'],
        [200, 'zzzz, which is not git', 'an invalid response'],
      ] as const) {
        reference(status, body);
        await expect(fetchCommit(newRepository(PACK_LIMITS), { url, ref: MAIN }, httpNode)).rejects.toMatchObject({
          code: 'invalid',
          message: expect.stringContaining(message),
        });
      }
    } finally {
      await server.stop();
    }
  });
});

describeWithSsh('what a branch has got since a commit, by SSH', () => {
  it('is fetched alone', async () => {
    const server = await GitSshServer.start();
    try {
      const hostKey = await server.renew();
      const { publicKey, privateKey } = await newDeployKey();
      await server.authorize(publicKey);
      const commits = new Commits(await server.create('docs'));
      const url = `${server.url}/docs.git`;
      const http = (): HttpClient =>
        guardedGitSsh(new Outbound({ outboundAllow: ['127.0.0.1'] }), url, { privateKey, hostKey });
      const first = await commits.add(MAIN, FIRST);
      const kept = await keep(url, http());
      await commits.add(MAIN, SECOND, first);
      const changed = await fetchSince({ url, ref: MAIN }, kept, http());
      expect(await requireWhole(changed, url, http())).toHaveLength(6);
    } finally {
      await server.stop();
    }
  });
});
