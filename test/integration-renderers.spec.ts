import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { brings } from '../src/kernel/platform/manifest/registry.js';
import { defineModule } from '../src/kernel/platform/manifest/manifest.js';
import {
  INTEGRATION_RENDERERS,
  type IntegrationBlock,
  type IntegrationRenderer,
} from '../src/authoring/content/content.points.js';
import { IntegrationBlocks } from '../src/authoring/content/integration-blocks.js';
import { block, document } from '../src/formats/document/build.js';
import type { Document } from '../src/formats/document/types.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { readPdf } from './pdf-reader.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

/** Shows stock prices as tables, and fails where it is told to. */
@Injectable()
class Stocks implements IntegrationRenderer {
  readonly integration = 'stocks';
  rendered = 0;

  async render({ block: name, props }: IntegrationBlock): Promise<string | undefined> {
    this.rendered++;
    if (name === 'broken') throw new Error('the exchange is closed');
    if (name === 'endless') return new Promise(() => undefined);
    if (name === 'huge') return 'x'.repeat(300_000);
    if (name === 'unknown') return undefined;
    const symbol = typeof props['symbol'] === 'string' ? props['symbol'] : '';
    return `| Share | Price |\n| --- | --- |\n| ${symbol} | **42** |\n\n<div onclick="alert(1)">Delayed by a day</div>\n\n<script>alert(1)</script>`;
  }
}

const stocks = defineModule({ name: 'stocks', contributes: [INTEGRATION_RENDERERS.with(Stocks)] });

@Module({ providers: [brings(stocks), Stocks] })
class StocksModule {}

const app = useApp({}, [StocksModule]);
const listener = usePublicListener(app);
const price = (symbol: string): string => `{% @stocks/price symbol="${symbol}" %}`;
const integration = (name: string, props = {}, of = 'stocks') =>
  block('integration', { integration: of, block: name, props });
const rendered = async (...nodes: Document['nodes']): Promise<Document> =>
  JSON.parse(await app.current.get(IntegrationBlocks).rendered(JSON.stringify(document(nodes)))) as Document;

describe('a renderer of an integration', () => {
  it('shows its blocks on published pages, in their Markdown and in PDFs, also within other blocks and reusable contents', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const space = await buildSpace(workspace, 'Markets');
    await space.write({
      operation: 'insert_reusable_content',
      title: 'Index',
      document: { markdown: price('REUSED') },
    });
    await space.write({ operation: 'insert_page', title: 'Start' });
    const { body } = await api.get<{ reusableContents: { id: string }[] }>(`/spaces/${space.id}/content`);
    const [page = ''] = await space.write({
      operation: 'insert_page',
      title: 'Prices',
      document: {
        markdown: `Today:\n\n${price('ACME')}\n\n{% hint style="info" %}\n${price('INNER')}\n{% endhint %}\n\n{% include "/reusable-contents/${body.reusableContents[0]?.id ?? ''}" %}\n\n{% @weather/today city="Oslo" %}\n`,
      },
    });
    const site = await publish(workspace, [space]);
    const html = (await listener.see(`${site.base}/prices`)).body;
    for (const symbol of ['ACME', 'INNER', 'REUSED']) expect(html).toMatch(new RegExp(`<td[^>]*>.*${symbol}`));
    expect(html).toContain('<strong>42</strong>');
    expect(html).toContain('Delayed by a day');
    expect(html).not.toMatch(/alert\(1\)|stocks: price/);
    expect(html).toContain('weather: today');
    const markdown = (await listener.see(`${site.base}/prices.md`)).body;
    expect(markdown).toMatch(/\| ACME +\| \*\*42\*\* +\|/);
    expect(markdown).not.toContain('@stocks');

    const ordered = await api.get<{ url: string }>(`/spaces/${space.id}/pdf`, { query: { page, only: true } });
    await app.current.get(Jobs).drain();
    const bytes = await fetch(ordered.body.url).then((answer) => answer.arrayBuffer());
    const text = (await readPdf(new Uint8Array(bytes))).sheets.join(' ');
    for (const symbol of ['ACME', 'INNER', 'REUSED']) expect(text).toContain(symbol);

    const kept = await api.get<{ markdown: string }>(`/spaces/${space.id}/content/page/${page}`, {
      query: { format: 'markdown' },
    });
    expect(kept.body.markdown).toContain('{% @stocks/price symbol="ACME" %}');
  });

  it('leaves blocks as they are that it does not know, fails at, or makes too much of', async () => {
    const nodes = ['unknown', 'broken', 'huge'].map((name) => integration(name));
    const other = integration('price', {}, 'bonds');
    expect(await rendered(...nodes, other)).toEqual(document([...nodes, other]));
    const mixed = await rendered(integration('broken'), integration('price', { symbol: 'ACME' }), other);
    expect(mixed.nodes.map(({ type }) => type).filter((type) => type === 'integration' || type === 'table')).toEqual([
      'integration',
      'table',
      'integration',
    ]);
  });

  it('is asked for at most a hundred blocks of a document, and for none where there are none', async () => {
    const renderer = app.current.get(Stocks);
    renderer.rendered = 0;
    await rendered(...Array.from({ length: 130 }, () => integration('unknown')));
    expect(renderer.rendered).toBe(100);
    await rendered();
    expect(renderer.rendered).toBe(100);
  });

  it('is given up after ten seconds, and the page is shown without it', async () => {
    const made = await rendered(integration('endless'), integration('price', { symbol: 'ACME' }));
    expect(made.nodes.map(({ type }) => type).slice(0, 2)).toEqual(['integration', 'table']);
  });
});
