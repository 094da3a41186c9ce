import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DIRECT_READS } from '../src/authoring/interchange/domain/source-reads.js';
import { readSiteFile } from '../src/authoring/interchange/domain/site-file/read-site-file.js';
import { writeSiteFile } from '../src/authoring/interchange/domain/site-file/write-site-file.js';
import { checkFolder } from '../src/authoring/interchange/folder-check.js';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';
import { SpecificationReader } from '../src/formats/openapi/reading/specification-reader.js';
import { document, inline, paragraph, plain } from '../src/formats/document/build.js';
import { SiteExports } from '../src/publishing/sites/site-exports.service.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { rounds } from './property/content-generators.js';
import { sites } from './property/site-generators.js';
import { buildSpace, publish } from './published-site.js';

const app = useApp();

describe('the file of a site', () => {
  it('says what was written into it', () => {
    fc.assert(
      fc.property(sites, (site) => {
        expect(readSiteFile(writeSiteFile(site))).toMatchObject({ problems: [] });
        expect(readSiteFile(writeSiteFile(site)).site).toEqual(site);
      }),
      { numRuns: rounds(100) },
    );
  });
});

describe('the export of a site', () => {
  it('has its structure, a folder for each space, and links from file to file, in which a check finds no fault', async () => {
    const workspace = await buildOrganization(app.current);
    const [guide, reference] = [await buildSpace(workspace, 'Guide'), await buildSpace(workspace, 'Reference')];
    await reference.write({ operation: 'insert_page', title: 'Start', document: { markdown: 'Text' } });
    await reference.write({ operation: 'insert_page', title: 'Limits', document: { markdown: '## Sizes' } });
    const { pages } = (
      await workspace.admin.api.get<{ pages: { id: string; slug: string }[] }>(`/spaces/${reference.id}/content`)
    ).body;
    const limits = pages.find(({ slug }) => slug === 'limits')?.id ?? '';
    const ref = { kind: 'anchor' as const, space: reference.id, page: limits, anchor: 'sizes' };
    const words = document([paragraph(plain('See '), inline('link', { ref }, [plain('limits')]))]);
    const target = { kind: 'page', space: reference.id, page: limits };
    await guide.write({ operation: 'insert_page', title: 'Start', document: { document: words } });
    await guide.write({ operation: 'insert_page', type: 'link', title: 'Limits', target });
    const site = await publish(workspace, [guide]);
    const { api, path } = site;
    const section = (
      await api.post<{ id: string }>(`${path}/sections`, { spaceId: reference.id, title: 'Reference', icon: 'book' })
    ).body;
    await api.patch(`${path}/sections/${section.id}`, {
      condition: 'visitor.claims.isPotter',
      description: 'All of it',
    });
    const group = (await api.post<{ id: string }>(`${path}/section-groups`, { title: 'More', sections: [section.id] }))
      .body;
    const url = 'https://shop.example.com/';
    const link = (
      await api.post<{ id: string }>(`${path}/external-links`, { title: 'Shop', url, parent: group.id, draft: true })
    ).body;
    const folder = await mkdtemp(join(tmpdir(), 'bindery-site-'));
    try {
      const out = join(folder, 'out');
      const { id: siteId } = (await api.get<{ id: string }>(path)).body;
      const written = await app.current
        .get(SiteExports)
        .exportSite(workspace.admin.id, { id: siteId, title: 'Pottery' }, out);
      expect(written).toEqual({ spaces: 2, pages: 4, files: 0, problems: [] });
      expect((await readdir(out)).sort()).toEqual(['gitbook-docs.yaml', 'guide', 'reference']);
      const file = readSiteFile(await readFile(join(out, 'gitbook-docs.yaml'), 'utf8'));
      expect(file.problems).toEqual([]);
      expect(file.site).toMatchObject({
        title: 'Pottery',
        structure: [
          {
            type: 'section',
            title: 'Guide',
            default: true,
            children: [{ title: 'Guide', default: true, content: { directory: './guide/guide' } }],
          },
          {
            type: 'section-group',
            key: group.id,
            title: 'More',
            children: [
              {
                type: 'section',
                key: section.id,
                icon: 'book',
                description: 'All of it',
                condition: 'visitor.claims.isPotter',
                children: [{ title: 'Reference', default: true, content: { directory: './reference/reference' } }],
              },
              { type: 'external-link', key: link.id, url, draft: true },
            ],
          },
        ],
      });
      const inside = (name: string) => readFile(join(out, 'guide/guide', name), 'utf8');
      expect(await inside('start.md')).toContain('[limits](../../reference/reference/limits.md#sizes)');
      expect(await inside('SUMMARY.md')).toContain('[Limits](../../reference/reference/limits.md)');
      const { findings } = await checkFolder(await readFolder(out), {
        reads: DIRECT_READS,
        specifications: new SpecificationReader(),
        atOnce: 2,
        signal: new AbortController().signal,
      });
      expect(findings).toEqual([]);
      await expect(
        app.current.get(SiteExports).exportSite(workspace.admin.id, { id: siteId, title: 'Pottery' }, out),
      ).rejects.toMatchObject({ code: 'invalid' });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
