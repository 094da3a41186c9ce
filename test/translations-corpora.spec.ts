import { existsSync } from 'node:fs';
import { describe, expect } from '@jest/globals';
import type { Document } from '../src/formats/document/types.js';
import { compareSiblings, type Item } from '../src/authoring/content/domain/content-item.js';
import { Importer } from '../src/authoring/interchange/importer.service.js';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';
import { SpaceContents, type SpaceContent } from '../src/authoring/interchange/space-content.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import type { Segment } from '../src/insight/translations/domain/segment.js';
import { TranslationEngines } from '../src/insight/translations/engines/translation-engines.js';
import { TranslationMemory } from '../src/insight/translations/translation-memory.js';
import { TestApp } from './app.js';
import { buildOrganization } from './build.js';
import { inWholeRuns } from './whole.js';

const CORPORA = '../shared/corpora';
const MODES = '/usr/share/apertium/modes';
const isHere =
  existsSync(CORPORA) &&
  ['es', 'ca'].every(
    (language) =>
      existsSync(`${MODES}/en-${language}.mode`) ||
      existsSync(`${MODES}/eng-${language === 'es' ? 'spa' : 'cat'}.mode`),
  );

interface Translation {
  id: string;
  status: string;
  error?: string;
  result: { space: string };
  stats: { latestPages: number; latestWords: number; latestRunDuration: number };
}

/** What the engine was sent and the memory was asked for, counted anew for each run. */
function counting(app: TestApp): { sent: number; asked: number; remembered: number } {
  const counts = { sent: 0, asked: 0, remembered: 0 };
  const [engines, memory] = [app.get(TranslationEngines), app.get(TranslationMemory)];
  const [choose, recall] = [engines.choose.bind(engines), memory.recall.bind(memory)];
  engines.choose = async (source, target) => {
    const engine = await choose(source, target);
    if ('reason' in engine) return engine;
    return {
      name: engine.name,
      translate: (segments: readonly Segment[], job) => {
        counts.sent += segments.length;
        return engine.translate(segments, job);
      },
    };
  };
  memory.recall = async (place, keys) => {
    const known = await recall(place, keys);
    counts.asked += keys.length;
    counts.remembered += known.size;
    return known;
  };
  return counts;
}

// Minutes of Apertium: only where ROUNDS is given.
(isHere ? describe : describe.skip)(
  'real documentation in other languages (../shared/corpora by Apertium, skipped where one of them is absent)',
  () => {
    inWholeRuns.each([
      ['elsa', 'es'],
      ['elsa', 'ca'],
      ['fluentd', 'es'],
      ['fluentd', 'ca'],
    ])(
      '%s in %s has every page, the same structure, and no code or address that is another one',
      async (name, language) => {
        const app = await TestApp.start({ IMPORT_MAX_BYTES: '256mb' });
        try {
          const { id: organizationId, admin } = await buildOrganization(app);
          const { space } = await app.get(Importer).importFolder({
            organizationId,
            userId: admin.id,
            source: await readFolder(`${CORPORA}/${name}`),
            title: name,
          });
          const counts = counting(app);
          const path = `/orgs/${organizationId}/translations`;
          const { id } = (await admin.api.post<Translation>(path, { source: { space, language: 'en' }, language }))
            .body;
          await app.get(Jobs).drain();
          const first = (await admin.api.get<Translation>(`${path}/${id}`)).body;
          expect([first.status, first.error]).toEqual(['completed', undefined]);
          const { sent, asked } = counts;
          const [source, target] = [
            await app.get(SpaceContents).read(space),
            await app.get(SpaceContents).read(first.result.space),
          ];
          expect(target.pages.length).toBe(source.pages.length);
          expect(target.files.length).toBe(source.files.length);
          expect(outline(target)).toEqual(outline(source));
          const documents = pairs(source, target);
          const differing = documents.filter(
            ({ before, after }) => JSON.stringify(structure(before)) !== JSON.stringify(structure(after)),
          );
          expect(differing.map(({ page }) => page.title)).toEqual([]);
          expect(
            documents.flatMap(({ page, before, after }) =>
              JSON.stringify(fixed(before).sort()) === JSON.stringify(fixed(after).sort()) ? [] : [page.title],
            ),
          ).toEqual([]);
          expect(
            documents.filter(({ before, after }) => JSON.stringify(before) === JSON.stringify(after)).length,
          ).toBeLessThan(documents.length / 10);
          Object.assign(counts, { sent: 0, asked: 0, remembered: 0 });
          await app.database.execute('DELETE FROM translated_item');
          await admin.api.post(`${path}/${id}/run`);
          await app.get(Jobs).drain();
          const second = (await admin.api.get<Translation>(`${path}/${id}`)).body;
          expect([second.stats.latestWords, second.result]).toEqual([0, first.result]);
          const seconds = ({ stats }: Translation): string => (stats.latestRunDuration / 1000).toFixed(1);
          process.stderr.write(
            `${name} en->${language}: ${first.stats.latestPages} pages, ${first.stats.latestWords} words in ${sent} segments of ${asked}, ${seconds(first)} s; ` +
              `again ${counts.remembered} of ${counts.asked} segments from the memory, ${counts.sent} sent, ${seconds(second)} s\n`,
          );
        } finally {
          await app.close();
        }
      },
      300_000,
    );
  },
);

/** The pages in order, by what does not depend on the language. */
function outline(content: SpaceContent, parent?: string): unknown[] {
  return content
    .children(parent)
    .toSorted(compareSiblings)
    .map((page) => {
      const { hidden, icon, emoji, layout } = page.props;
      return { type: page.type, slug: page.slug, hidden, icon, emoji, layout, pages: outline(content, page.id) };
    });
}

function pairs(source: SpaceContent, target: SpaceContent): { page: Item; before: Document; after: Document }[] {
  const paths = new Map(
    target.pages.filter(({ type }) => type === 'document').map((page) => [target.path(page), page]),
  );
  return source.pages.flatMap((page) => {
    const twin = page.type === 'document' ? paths.get(source.path(page)) : undefined;
    const [before, after] = [source.document(page), twin && target.document(twin)];
    return before && after ? [{ page, before, after }] : [];
  });
}

/** Blocks within blocks, with their keys and settings, and of each line what stands in it in whatever order. */
function structure(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const nodes: readonly unknown[] = value;
    const isLine =
      name === 'nodes' && nodes.length > 0 && nodes.every((node) => (node as { object?: string }).object !== 'block');
    return isLine ? [...new Set(inline(nodes))].sort() : nodes.map((each) => structure(each));
  }
  if (typeof value !== 'object' || value === null) return NAMES.has(name) || REFERENCES.has(name) ? '' : value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'id' && key !== 'slug')
      .map(([key, each]) => [key, structure(each, key)]),
  );
}

/** What a line says beside words: its inlines and marks. */
function inline(nodes: readonly unknown[]): string[] {
  return nodes.flatMap((node) => {
    const {
      object,
      type,
      nodes: within = [],
      leaves = [],
    } = node as { object: string; type?: string; nodes?: unknown[]; leaves?: { marks: { type: string }[] }[] };
    return object === 'text'
      ? leaves.flatMap(({ marks }) => marks.map((mark) => mark.type))
      : [type ?? '', ...inline(within)];
  });
}

const NAMES: ReadonlySet<string> = new Set(['title', 'alt', 'caption', 'label', 'description']);
const REFERENCES: ReadonlySet<string> = new Set(['page', 'file', 'reusableContent', 'space', 'anchor']);

/** Code, inline code, formulas and addresses, as texts. */
function fixed(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fixed);
  if (typeof value !== 'object' || value === null) return [];
  const node = value as { type?: string; object?: string; text?: string; marks?: { type: string }[] };
  if (node.type === 'code') return [JSON.stringify(node)];
  if (node.object === 'leaf')
    return node.marks?.some(({ type }) => type === 'code')
      ? [`\`${node.text ?? ''}\``]
      : ((node.text ?? '').match(/https?:\/\/[^\s)"<>]+/g) ?? []);
  return Object.entries(node).flatMap(([key, each]) =>
    ['url', 'formula', 'expression'].includes(key) && typeof each === 'string' ? [each] : fixed(each),
  );
}
