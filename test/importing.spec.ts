import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import httpNode from 'isomorphic-git/http/node';
import { readRepositoryAddress, withCheckout } from '../src/importing/git/repository.js';
import { GitServer, TestRepository } from './git-server.js';

describe('a git repository', () => {
  let server: GitServer;
  beforeAll(async () => {
    server = await GitServer.start();
  });
  afterAll(() => server.stop());

  it('is laid into a folder at the commit asked for, which is gone afterwards', async () => {
    const repository = await TestRepository.create();
    const first = await repository.commit('refs/heads/main', 'First\n', { 'README.md': '# One\n', 'guide/start.md': '# Start\n' });
    const tagged = await repository.commit('refs/tags/v2', 'Second\n', { 'README.md': '# Two\n' });
    server.serve('docs', repository);
    const seen: string[] = [];
    for (const ref of [undefined, 'main', 'v2', tagged]) {
      await withCheckout({ url: `${server.url}/docs.git`, ...(ref !== undefined && { ref }) }, httpNode, async ({ folder, commit, objects, refused }) => {
        expect(refused).toEqual([]);
        expect(commit.oid).toBe(ref === undefined || ref === 'main' ? first : tagged);
        expect(commit.message).toBe(commit.oid === first ? 'First' : 'Second');
        expect(await readFile(join(folder, 'README.md'), 'utf8')).toBe(commit.oid === first ? '# One\n' : '# Two\n');
        expect([...objects.keys()].sort()).toEqual(commit.oid === first ? ['README.md', 'guide/start.md'] : ['README.md']);
        seen.push(folder);
      });
    }
    expect(seen).toHaveLength(4);
    expect(seen.filter((folder) => existsSync(folder))).toEqual([]);
  });

  it('gives no symbolic links, submodules or unusable names, and says so', async () => {
    const repository = await TestRepository.create();
    await repository.commit('refs/heads/main', 'Tricks', {
      'README.md': '# Fine\n',
      'secrets.md': { link: '/etc/passwd' },
      'lib': { submodule: 'a'.repeat(40) },
      'readme.md': 'other',
      'bell\u0007.md': 'x',
    });
    server.serve('tricks', repository);
    await withCheckout({ url: `${server.url}/tricks.git` }, httpNode, async ({ objects, refused }) => {
      expect(objects.size).toBe(1);
      expect(refused.map(({ path, message }) => `${path}: ${message}`).sort()).toEqual([
        'bell\u0007.md: the name cannot be used in a folder',
        'lib: submodules are not followed',
        'readme.md: differs from README.md only in capitals',
        'secrets.md: symbolic links are not followed',
      ]);
    });
  });

  it('is refused when it is larger than allowed, absent, empty or not fetched by https', async () => {
    const repository = await TestRepository.create();
    await repository.commit('refs/heads/main', 'Large', { 'large.bin': new Uint8Array(300_000) });
    server.serve('large', repository);
    const large = (limits: { objectBytes: number; totalBytes: number; objects: number }) =>
      withCheckout({ url: `${server.url}/large.git` }, httpNode, async () => 'done', limits);
    await expect(large({ objectBytes: 299_999, totalBytes: 1e9, objects: 10 })).rejects.toMatchObject({ code: 'tooLarge' });
    await expect(large({ objectBytes: 1e9, totalBytes: 300_000, objects: 10 })).rejects.toMatchObject({ code: 'tooLarge' });
    await expect(large({ objectBytes: 1e9, totalBytes: 1e9, objects: 2 })).rejects.toMatchObject({ code: 'tooLarge' });
    await expect(large({ objectBytes: 300_000, totalBytes: 300_500, objects: 3 })).resolves.toBe('done');
    const none = async () => 'done';
    await expect(withCheckout({ url: `${server.url}/nothing.git` }, httpNode, none)).rejects.toMatchObject({ code: 'invalid', details: [{ path: 'url' }] });
    await expect(withCheckout({ url: `${server.url}/large.git`, ref: 'absent' }, httpNode, none)).rejects.toMatchObject({ code: 'invalid', details: [{ path: 'ref' }] });
    const unsafe = await TestRepository.create();
    await unsafe.commit('refs/heads/main', 'Unsafe', { '.git/config': 'x' });
    server.serve('unsafe', unsafe);
    await expect(withCheckout({ url: `${server.url}/unsafe.git` }, httpNode, none)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('.git') });
    server.serve('empty', await TestRepository.create());
    await expect(withCheckout({ url: `${server.url}/empty.git` }, httpNode, none)).rejects.toMatchObject({ code: 'invalid' });
    for (const address of ['http://example.com/a.git', 'ssh://git@example.com/a', 'git@example.com:a/b', 'file:///etc', 'https://user:secret@example.com/a.git', 'ext::sh -c x']) {
      expect(() => readRepositoryAddress(address)).toThrow();
    }
    expect(readRepositoryAddress('https://example.com/a/b/')).toBe('https://example.com/a/b');
  });
});
