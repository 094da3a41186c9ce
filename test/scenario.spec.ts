import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { reportGitDiffs } from '../src/cli/git-roundtrip.js';
import { isWhole, reportRoundTrip } from '../src/cli/roundtrip.js';
import { walkThrough } from '../src/cli/walkthrough.js';
import { Addresses } from '../src/kernel/common/addresses.js';
import { Exporter } from '../src/authoring/interchange/exporter.service.js';
import type { ImportResult } from '../src/authoring/interchange/import-order.js';
import { Importer } from '../src/authoring/interchange/importer.service.js';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';
import { differences, portableItems } from '../src/authoring/interchange/portable-content.js';
import { SpaceContents } from '../src/authoring/interchange/space-content.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import {
  publishedClient,
  type ChangeRequestNode,
  type FileNode,
  type PageNode,
  type PublishedClient,
} from './published-client.js';

/** A folder of Markdown and what is known of it beforehand. */
interface Subject {
  readonly folder: string;
  /** Where its SUMMARY.md and pages lie. */
  readonly root: string;
  /** A page by path, a sentence of it, and one of its headings. */
  readonly page: {
    readonly path: string;
    readonly title: string;
    readonly says: string;
    readonly heading: string;
    readonly anchor: string;
  };
  readonly redirect?: { readonly from: string; readonly to: string };
  /** A picture as it lies in the folder. */
  readonly picture: {
    readonly path: string;
    readonly contentType: string;
    readonly width: number;
    readonly height: number;
  };
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  handbook: {
    folder: 'test/fixtures/handbook',
    root: 'docs',
    page: {
      path: 'guides/guides/first-brew',
      title: 'First brew',
      says: 'Bring it to 96 °C.',
      heading: 'Heat the water',
      anchor: 'heat-the-water',
    },
    redirect: { from: 'old/start', to: 'guides/guides/first-brew' },
    picture: { path: '.gitbook/assets/dot.png', contentType: 'image/png', width: 2, height: 2 },
  },
  fluentd: {
    folder: '../shared/corpora/fluentd',
    root: '.',
    page: {
      path: 'configuration/config-file',
      title: 'Config File Syntax',
      says: 'This article describes the basic concepts of Fluentd configuration file syntax.',
      heading: 'Config File Location',
      anchor: 'config-file-location',
    },
    redirect: { from: 'v1.0/articles/quickstart', to: 'readme' },
    picture: { path: '.gitbook/assets/01 (2).png', contentType: 'image/png', width: 1457, height: 1098 },
  },
  elsa: {
    folder: '../shared/corpora/elsa',
    root: '.',
    page: {
      path: 'getting-started/architecture-overview',
      title: 'Architecture Overview',
      says: 'Major Components',
      heading: 'Bookmarks, Triggers, and Stimuli',
      anchor: 'bookmarks-triggers-and-stimuli',
    },
    picture: {
      path: '.gitbook/assets/Screenshot 2025-07-06 165657.png',
      contentType: 'image/png',
      width: 568,
      height: 912,
    },
  },
};

const PATIENCE_MS = 600_000;
const MARKER = 'Xylophonkonzert';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const app = useApp();

beforeAll(async () => {
  const port = await app.current.get(PublicListener).listen();
  app.current.get(Addresses).announce(app.current.url, `http://127.0.0.1:${port}`);
});

/** The main job with one folder: each step leaves what the next one needs. */
class Scenario {
  private space = '';
  private imported: ImportResult | undefined;

  constructor(
    private readonly subject: Subject,
    private readonly organization: Workspace,
    private readonly api: PublishedClient,
  ) {}

  async run(): Promise<void> {
    await this.importFolder();
    await this.readTree();
    await this.readPage();
    await this.readFiles();
    await this.search();
    await this.changeAndMerge();
    await this.publish();
    await this.exportAndImport();
  }

  private async importFolder(): Promise<void> {
    const { folder } = this.subject;
    const result = await this.importFrom(folder, 'Main job');
    for (const { file, line, message } of result.problems) {
      expect({ file, line, message }).toEqual({
        file: expect.stringMatching(/./),
        line: expect.any(Number),
        message: expect.stringMatching(/./),
      });
    }
    expect(result.problems.filter((problem) => !existsSync(join(folder, problem.file)))).toEqual([]);
    this.space = result.space;
    this.imported = result;
  }

  private async readTree(): Promise<void> {
    const { folder, root } = this.subject;
    const space = (await this.api.spaces.getSpaceById(this.space)).data;
    expect(space).toMatchObject({
      object: 'space',
      id: this.space,
      title: 'Main job',
      revision: this.imported?.revision,
    });
    const { pages } = (await this.api.spaces.listPages(this.space)).data;
    expect(outline(pages)).toEqual(summaryOutline(await readFile(join(folder, root, 'SUMMARY.md'), 'utf8')));
    expect(flat(pages)).toHaveLength(this.imported?.pages ?? 0);
    const revision = (await this.api.spaces.getCurrentRevision(this.space)).data;
    expect(revision).toMatchObject({ object: 'revision', id: this.imported?.revision, pages });
    expect(revision.files).toHaveLength(this.imported?.files ?? 0);
    expect(flat(revision.pages).filter((page) => page.document ?? page.markdown)).toEqual([]);
  }

  private async readPage(): Promise<void> {
    const { page: known, redirect } = this.subject;
    const page = (await this.api.spaces.getPageByPath(this.space, encodeURIComponent(known.path))).data;
    expect(page).toMatchObject({ type: 'document', title: known.title, path: known.path });
    const asDocument = (await this.api.spaces.getPageById(this.space, page.id, { format: 'document' })).data;
    expect(asDocument.document).toMatchObject({ object: 'document' });
    expect(JSON.stringify(asDocument.document)).toContain(known.says);
    expect(asDocument).not.toHaveProperty('markdown');
    const asMarkdown = (await this.api.spaces.getPageById(this.space, page.id, { format: 'markdown' })).data;
    expect(asMarkdown.markdown).toContain(known.says);
    expect(asMarkdown.markdown).toMatch(new RegExp(`^#+ .*${known.heading}`, 'm'));
    if (!redirect) return;
    const led = (await this.api.spaces.getPageByPath(this.space, encodeURIComponent(redirect.from))).data;
    expect(led.path).toBe(redirect.to);
  }

  private async readFiles(): Promise<void> {
    const { folder, root, picture } = this.subject;
    const files = await this.allFiles();
    expect(files).toHaveLength(this.imported?.files ?? 0);
    const bytes = await readFile(join(folder, root, picture.path));
    const [file] = files.filter((each) => each.name === basename(picture.path) && each.size === bytes.length);
    if (!file) throw new Error(`${picture.path} was not imported`);
    const { contentType, width, height } = picture;
    expect((await this.api.spaces.getFileById(this.space, file.id)).data).toMatchObject({
      id: file.id,
      contentType,
      size: bytes.length,
      dimensions: { width, height },
    });
    const download = await fetch(file.downloadURL);
    expect(download.status).toBe(200);
    expect(sha256(Buffer.from(await download.arrayBuffer()))).toBe(sha256(bytes));
  }

  private async allFiles(): Promise<FileNode[]> {
    const files: FileNode[] = [];
    for (let page: string | undefined; ;) {
      const { data } = await this.api.spaces.listFiles(this.space, { limit: 75, page });
      files.push(...data.items);
      if (data.next === undefined) return files;
      page = data.next.page;
    }
  }

  private async search(): Promise<void> {
    const { path, heading, anchor } = this.subject.page;
    const { items } = (await this.api.spaces.searchSpaceContent(this.space, { query: `"${heading}"` })).data;
    const hit = items.find((item) => item.path === path);
    expect(hit?.sections).toContainEqual(
      expect.objectContaining({ id: anchor, title: heading, path: `${path}#${anchor}` }),
    );
  }

  private async changeAndMerge(): Promise<void> {
    const { spaces } = this.api;
    const page = (await spaces.getPageByPath(this.space, encodeURIComponent(this.subject.page.path))).data;
    const request = (await spaces.createChangeRequest(this.space, { subject: 'A concert' })).data;
    const other = (await spaces.createChangeRequest(this.space, { subject: 'A clearer beginning' })).data;
    expect(request).toMatchObject({
      object: 'change-request',
      number: 1,
      status: 'draft',
      subject: 'A concert',
      outdated: false,
    });

    const picture = {
      operation: 'insert_files',
      files: [{ ref: 'poster', name: 'poster.png', contentType: 'image/png', base64: PIXEL }],
    };
    const concert = {
      operation: 'insert_page',
      title: 'The concert',
      document: {
        markdown: `Come in.\n\n## Programme\n\nA ${MARKER} for [everybody](/pages/${page.id}).\n\n![The poster](./poster)\n`,
      },
    };
    const { data: written } = await this.write(request.id, [picture, concert]);
    expect(written).toMatchObject({ id: request.id, outdated: false });
    expect(written.revision).not.toBe(request.revision);
    expect((await this.find(MARKER)).items).toEqual([]);

    await this.write(other.id, [{ operation: 'update_page', page: page.id, description: 'Written on the other side' }]);
    expect((await spaces.getChangeRequestById(this.space, request.id)).data.outdated).toBe(false);
    expect((await spaces.mergeChangeRequest(this.space, other.id)).data.result).toBe('merge');
    expect((await spaces.getChangeRequestById(this.space, request.id)).data.outdated).toBe(true);
    expect((await spaces.updateChangeRequest(this.space, request.id)).data.result).toBe('update');
    expect((await spaces.getChangeRequestById(this.space, request.id)).data.outdated).toBe(false);
    const merge = (await spaces.mergeChangeRequest(this.space, request.id)).data;
    expect(merge.result).toBe('merge');
    const found = await this.find(MARKER);
    expect(found.items).toHaveLength(1);
    expect(found.items[0]).toMatchObject({ title: 'The concert', sections: [{ id: 'programme', title: 'Programme' }] });

    expect((await spaces.getChangeRequestById(this.space, request.id)).data.status).toBe('merged');
    expect((await spaces.getSpaceById(this.space)).data.revision).toBe(merge.revision);
    expect((await spaces.getPageById(this.space, page.id)).data).toMatchObject({
      title: page.title,
      description: 'Written on the other side',
    });
    const inserted = (await spaces.getPageByPath(this.space, 'the-concert', { format: 'markdown' })).data;
    expect(inserted.markdown).toContain(MARKER);
    expect(flat((await spaces.listPages(this.space)).data.pages)).toHaveLength((this.imported?.pages ?? 0) + 1);
  }

  private async write(request: string, changes: readonly object[]): Promise<{ data: ChangeRequestNode }> {
    const path = `/spaces/${this.space}/change-requests/${request}/content`;
    return (await this.api.request({
      path,
      method: 'POST',
      body: { changes },
      type: 'application/json',
      format: 'json',
      secure: true,
    })) as { data: ChangeRequestNode };
  }

  private async find(query: string) {
    return (await this.api.spaces.searchSpaceContent(this.space, { query })).data;
  }

  private async publish(): Promise<void> {
    const { orgs } = this.api;
    const { id } = this.organization;
    const site = (await orgs.createSite(id, { title: 'The handbook', spaces: [this.space] })).data;
    expect(site).toMatchObject({ object: 'site', title: 'The handbook', published: false });
    await expect(orgs.getPublishedContentSite(id, site.id)).rejects.toThrow();
    const published = (await orgs.publishSite(id, site.id)).data;
    expect(published).toMatchObject({
      id: site.id,
      published: true,
      urls: { published: expect.stringMatching(/^http/) },
    });
    const { items } = (await orgs.listSiteSpaces(id, site.id)).data;
    expect(items).toMatchObject([{ object: 'site-space', space: { id: this.space } }]);
    const profile = (await orgs.getPublishedContentSite(id, site.id)).data;
    expect(profile).toMatchObject({
      object: 'published-content-site',
      site: { id: site.id, title: 'The handbook', published: true },
      structure: {
        type: 'siteSpaces',
        structure: [{ id: items[0]?.id, space: { id: this.space, title: 'Main job' } }],
      },
      customizations: {
        site: { styling: expect.any(Object) },
        siteSpaces: { [items[0]?.id ?? '']: { styling: expect.any(Object) } },
      },
      scripts: [],
    });
    expect((await this.api.spaces.getSpaceById(this.space)).data.urls.published).toBe(published.urls.published);
  }

  private async exportAndImport(): Promise<void> {
    const contents = app.current.get(SpaceContents);
    const folder = await mkdtemp(join(tmpdir(), 'bindery-scenario-'));
    try {
      const exported = await app.current.get(Exporter).exportSpace(this.space, folder);
      expect(exported).toMatchObject({
        pages: (this.imported?.pages ?? 0) + 1,
        files: (this.imported?.files ?? 0) + 1,
        problems: [],
      });
      const again = await this.importFrom(folder, 'Again');
      const [before, after] = [
        portableItems(await contents.read(this.space)),
        portableItems(await contents.read(again.space)),
      ];
      expect(after.length).toBeGreaterThan(exported.pages);
      expect(differences(before, after)).toEqual([]);
      const { pages } = (await this.api.spaces.listPages(again.space)).data;
      expect(outline(pages)).toEqual(outline((await this.api.spaces.listPages(this.space)).data.pages));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async importFrom(folder: string, title: string): Promise<ImportResult> {
    return app.current.get(Importer).importFolder({
      organizationId: this.organization.id,
      userId: this.organization.admin.id,
      title,
      source: await readFolder(folder),
    });
  }
}

function flat(pages: readonly PageNode[]): PageNode[] {
  return pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
}

/** Titles indented by their depth; pages that are in no table of contents stand hidden at the end and are left out. */
function outline(pages: readonly PageNode[], depth = 0): string[] {
  const listed = depth > 0 ? pages : pages.slice(0, pages.findLastIndex((page) => page.hidden !== true) + 1);
  return listed.flatMap((page) => [`${'  '.repeat(depth)}${page.title}`, ...outline(page.pages ?? [], depth + 1)]);
}

/** The same of a SUMMARY.md, read line by line: headings of the second level are groups, lists may be nested. */
function summaryOutline(summary: string): string[] {
  let inGroup = 0;
  return summary.split('\n').flatMap((line) => {
    const group = /^## (.+)$/.exec(line)?.[1];
    if (group !== undefined) inGroup = 1;
    if (/^\*{3}$/.test(line)) inGroup = 0;
    const [, indent = '', text] = /^( *)[*-] (.+)$/.exec(line) ?? [];
    const title = group ?? text?.replace(/^\[(.*)\]\(.*\)$/, '$1');
    if (title === undefined) return [];
    const depth = group === undefined ? indent.length / 2 + inGroup : 0;
    return [`${'  '.repeat(depth)}${title.replace(/\\(?=[!-/:-@[-`{-~])/g, '').trim()}`];
  });
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Written as people write, and as the serializer does not; its last page is in no table of contents. */
const REPOSITORY: Readonly<Record<string, string>> = {
  'SUMMARY.md': '# Contents\n\n- [Home](README.md)\n    - [A](./inside/first.md)\n    - [B](./inside/second.md)\n',
  'README.md': 'Home\n====\n\nSome text *here*, see [a](inside/first.md).\n\n+ one\n+ two\n',
  'inside/first.md': '---\n# Ours\nicon:   book\n---\n# A\n\nOther text, see\n[b](second.md).\n',
  'inside/second.md': '# B\n\nMore __text__, see [a](first.md).\n\n***\n',
  'unlisted.md': '# Unlisted\nNobody lists this text.',
};

describe('npm run demo and npm run roundtrip', () => {
  it('take our own documentation through everything and find nothing that differs', async () => {
    const { id, admin } = await buildOrganization(app.current);
    const service = {
      services: app.current.nest,
      api: app.current.url,
      organizationId: id,
      userId: admin.id,
      token: admin.api.token ?? '',
    };
    const lines: string[] = [];
    await walkThrough(service, 'docs', (line) => lines.push(line));
    expect(lines.filter((line) => /^\d/.test(line)).map((line) => line.slice(0, 2))).toEqual([
      '1.',
      '2.',
      '3.',
      '4.',
      '5.',
    ]);
    expect(lines.join('\n')).toContain('outdated after another merge: true; updated: update; merged: merge');
    expect(lines.at(-1)).toContain('imported again, 0 differ');

    const report = await reportRoundTrip(service, 'docs');
    expect(report).toMatchObject({ differing: [], wrongNodes: [], missingWords: [], verbatim: 0 });
    expect(report.pages).toBeGreaterThan(1);
    expect(report.nodes).toBeGreaterThan(20);
    expect(isWhole(report)).toBe(true);
    for (const fault of [
      { differing: ['a page'] },
      { wrongNodes: ['a cell'] },
      { missingWords: ['a word'] },
      { verbatim: 0.006 },
    ])
      expect(isWhole({ ...report, ...fault })).toBe(false);

    const folder = await mkdtemp(join(tmpdir(), 'bindery-git-roundtrip-'));
    try {
      for (const [path, text] of Object.entries(REPOSITORY)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      const diffs = await reportGitDiffs(service, folder);
      expect(
        diffs.map(({ change, files, added, removed, unasked }) => [change, files, added, removed, unasked]),
      ).toEqual([
        ['nothing', 0, 0, 0, 0],
        ['a word in 50 pages', 4, 4, 4, 0],
        ['a new page', 2, 4, 0, 0],
        ['a page moved', 1, 1, 1, 0],
        ['a page renamed', 5, 11, 11, 0],
        ['a page deleted', 2, 0, 9, 0],
        ['a new image in a page', 2, 3, 0, 0],
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 180_000);
});

/** The large folders: once more with what the others show, so only where rounds are asked for. */
const isLong = (name: string): boolean => ['elsa', 'fluentd'].includes(name) && process.env['ROUNDS'] === undefined;

describe('the main job, from a folder to a published site and back', () => {
  for (const [name, subject] of Object.entries(SUBJECTS)) {
    const reason = isLong(name)
      ? 'npm run test:long does it'
      : existsSync(subject.folder)
        ? undefined
        : `${subject.folder} is not there`;
    (reason === undefined ? it : it.skip)(
      `works on ${name}${reason === undefined ? '' : ` (skipped: ${reason})`}`,
      async () => {
        const organization = await buildOrganization(app.current);
        const { api, isPublished } = await publishedClient(app.current.url, organization.admin.api.token ?? '');
        if (!isPublished) console.log('@gitbook/api is not installed: the scenario runs through our own client');
        await new Scenario(subject, organization, api).run();
      },
      PATIENCE_MS,
    );
  }
});
