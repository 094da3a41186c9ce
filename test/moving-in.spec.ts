import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import type { ContentRef } from '../src/formats/document/types.js';
import { serializeMarkdown } from '../src/formats/markdown/serialize.js';
import { type ImportPlan, planImport } from '../src/authoring/interchange/domain/plan.js';
import { parsedDocument } from '../src/authoring/interchange/domain/plan-pages.js';
import type { PlanProblem } from '../src/authoring/interchange/domain/plan-model.js';
import { readFolder } from '../src/authoring/interchange/markdown-folder.js';

/** The plan of a fixture, whose ids are `id1`, `id2` and so on. */
async function read(tool: string): Promise<ImportPlan> {
  let last = 0;
  return planImport((await readFolder(resolve('test/fixtures/tools', tool))).files, {
    newId: () => `id${(last += 1)}`,
  });
}

/** The tree in short: indentation, type, title, the name in the navigation, slug. */
function outline({ pages }: ImportPlan): string[] {
  const depth = (parent: string | undefined): number =>
    parent === undefined ? 0 : 1 + depth(pages.find((page) => page.id === parent)?.parent);
  return pages.map(
    ({ parent, type, title, linkTitle, slug, hidden }) =>
      `${'  '.repeat(depth(parent))}${type} ${title}${linkTitle === undefined ? '' : ` (${linkTitle})`} /${slug ?? ''}${hidden ? ' hidden' : ''}`,
  );
}

/** A page as our own Markdown, in which references are the titles of pages and the names of files. */
async function page(plan: ImportPlan, title: string): Promise<string> {
  const found = plan.pages.find((each) => each.title === title);
  if (!found) throw new Error(`no page ${title}`);
  const { json } = await plan.readPage(found);
  return serializeMarkdown(parsedDocument(json), { render: (ref) => nameOf(plan, ref) });
}

function nameOf({ pages, files, reusableContents }: ImportPlan, ref: ContentRef): string {
  switch (ref.kind) {
    case 'page':
      return pages.find(({ id }) => id === ref.page)?.title ?? '';
    case 'anchor':
      return `${pages.find(({ id }) => id === ref.page)?.title ?? ''}#${ref.anchor}`;
    case 'file':
      return files.find(({ id }) => id === ref.file)?.name ?? '';
    case 'reusable-content':
      return reusableContents.find(({ id }) => id === ref.reusableContent)?.title ?? '';
    default:
      return ref.kind === 'url' ? ref.url : ref.kind;
  }
}

/** All that an import reports, with its place in the source. */
async function reports(plan: ImportPlan): Promise<string[]> {
  const problems: PlanProblem[] = [...plan.problems];
  for (const each of plan.pages) if (each.path !== undefined) problems.push(...(await plan.readPage(each)).problems);
  return problems.map(({ file, line = 1, message }) => `${plan.original(file)}:${line}: ${message}`);
}

describe('a folder of Docusaurus', () => {
  it('has the tree of its sidebars, whose calls are left out', async () => {
    expect(outline(await read('docusaurus'))).toEqual([
      'document Welcome to the kiln (Start) /intro',
      'document Firing /overview',
      '  document Bisque firing /bisque',
      'group Glazes /glazes',
      '  document Ash /ash',
      '  document Celadon /celadon',
      'link Shop /',
    ]);
  });

  it('has admonitions, links by address and pictures of its static folder', async () => {
    const plan = await read('docusaurus');
    expect(await page(plan, 'Welcome to the kiln')).toBe(
      [
        'See [bisque](<Bisque firing>), [ash](Ash) and ![kiln](kiln.svg).',
        '',
        '{% hint style="success" %}',
        '**Keep it dry**',
        '',
        'Clay holds **water**.',
        '',
        '{% hint style="danger" %}',
        'It bursts.',
        '{% endhint %}',
        '{% endhint %}',
        '',
      ].join('\n'),
    );
    const [first] = plan.pages;
    expect(first && (await plan.readPage(first)).attributes).toEqual({ layout: { outline: false } });
  });

  it('has tabs, included contents and titles of code; unknown components are kept and reported', async () => {
    const plan = await read('docusaurus');
    const made = await page(plan, 'Firing');
    expect(made).toContain('{% tabs %}\n{% tab title="Gas" %}\nFast.\n{% endtab %}');
    expect(made).toContain('{% include "Safety" %}');
    expect(made).toContain('{% code title="kiln.js" lineNumbers="true" %}\n```js\nheat();\n```\n{% endcode %}');
    expect(made).toContain('\n<Curve points={[1, 2]} />\n');
    expect(await reports(plan)).toEqual([
      'sidebars.mts:1: 1 files outside of docs are not imported',
      "docs/firing/overview.mdx:4: import Curve from '@site/src/Curve'; is not supported and is kept verbatim",
      'docs/firing/overview.mdx:19: <Curve points={[1, 2]} /> is not supported and is kept verbatim',
    ]);
  });
});

describe('a folder of MkDocs', () => {
  it('has the tree of its nav', async () => {
    const plan = await read('mkdocs');
    expect(outline(plan)).toEqual([
      'document Looms (Home) /index',
      'document Weaving /weaving',
      '  document Warp (Warp threads) /warp',
      'document Weft /weft',
      'link Yarn /',
      'document Gone /gone',
    ]);
    expect(await reports(plan)).toEqual([
      'mkdocs.yml:1: 1 files outside of docs are not imported',
      'mkdocs.yml:14: gone.md is not there; the page is imported empty',
    ]);
  });

  it('has admonitions, content tabs, buttons and anchors', async () => {
    const plan = await read('mkdocs');
    const made = await page(plan, 'Looms');
    expect(made).toContain(
      '{% hint style="info" %}\n**Before you start**\n\nOil the _frame_.\n\n{% hint style="danger" %}\nMind the reed.\n',
    );
    expect(made).toContain('<summary>Tip</summary>\n\nA hidden tip.\n\n</details>');
    expect(made).toContain(
      '{% tab title="Linen" %}\n{% code title="warp.yml" lineNumbers="true" %}\n```yaml\nends: 12\n```\n{% endcode %}\n',
    );
    expect(made).toContain('{% tab title="Wool" %}\nSofter.\n{% endtab %}\n{% endtabs %}');
    expect(made).toContain(
      '<a href="Warp" class="button primary">Weave</a> with <kbd>Ctrl</kbd>+<kbd>S</kbd> and ' +
        '<mark style="background-color:yellow;">care</mark>.',
    );
    expect(await page(plan, 'Warp')).toBe('See [plain weave](Weaving#plain).\n');
  });
});

describe('a folder of Mintlify', () => {
  it('has the tree of its navigation', async () => {
    const plan = await read('mintlify');
    expect(outline(plan)).toEqual([
      'group Guides /guides',
      '  document Start /start',
      '    document Ferry (Welcome) /index',
      '    document Boats /overview',
      '      document Small /small',
      'group API /api',
      '  document Boats API /boats',
    ]);
    expect(await reports(plan)).toEqual([
      'docs.json:1: the operation GET /boats is no page and is left out',
      'index.mdx:38: <Timetable days={7} /> is not supported and is kept verbatim',
    ]);
  });

  it('has cards, steps, groups of code, accordions and snippets', async () => {
    const plan = await read('mintlify');
    const made = await page(plan, 'Ferry');
    expect(made).toContain('{% hint style="info" %}\nFerries leave on **time**.\n{% endhint %}');
    expect(made).toContain(
      '<tr><td><strong>Small boats</strong></td><td>For a few people.</td><td><a href="Small">Small</a></td></tr>',
    );
    expect(made).toContain(
      '{% step %}\n### Buy\n\nA ticket.\n\n{% tabs %}\n{% tab title="curl" %}\n```bash\ncurl ferry\n```\n{% endtab %}',
    );
    expect(made).toContain('<summary>Dogs &#x26; cats</summary>\n\nThey ride for free.');
    expect(made).toContain('{% include "Fares" %}');
    expect(await page(plan, 'Small')).toBe('**`seats`** `number` _required_\n\nAt most four.\n');
  });
});

describe('folders of VitePress and Starlight', () => {
  it('have the trees of their configurations', async () => {
    expect(outline(await read('vitepress'))).toEqual([
      'group Guide /guide',
      '  document Hives /hives',
      '  document Honey /honey',
    ]);
    expect(outline(await read('starlight'))).toEqual([
      'group Basics /basics',
      '  document The moon /moon',
      '  document The sea /sea',
      'group More /more',
      '  document Calm (Calm seas) /a',
      '  document Storms /b',
    ]);
  });

  it('have containers, groups of code, alerts and public pictures', async () => {
    const made = await page(await read('vitepress'), 'Hives');
    expect(made).toContain('![bee](bee.svg)');
    expect(made).toContain('{% hint style="warning" %}\n**Smoke**\n\nUse _little_.\n{% endhint %}');
    expect(made).toContain('{% tab title="npm" %}\n```sh\nnpm i bees\n```\n{% endtab %}');
    expect(made).toContain('<summary>More</summary>\n\nWax.');
    expect(made).toContain('{% hint style="warning" %}\nWear a veil.\n{% endhint %}');
  });

  it('have asides, cards and pictures outside of their pages', async () => {
    const plan = await read('starlight');
    const made = await page(plan, 'The moon');
    expect(made).toContain('{% hint style="warning" %}\n**Neap**\n\nLow.\n{% endhint %}');
    expect(made).toContain('{% hint style="success" %}\nHigh.\n{% endhint %}\n\n1. Look up.\n2. Wait.\n');
    expect(made).toContain('<tr><td><strong>Spring</strong></td><td>Strong.</td><td></td></tr>');
    expect(made).toContain('![wave](wave.svg)');
    expect(await page(plan, 'The sea')).toBe('See [the moon](<The moon>).\n');
    expect(await reports(plan)).toEqual([]);
  });
});

describe('a folder of Sphinx', () => {
  it('has the tree of its toctrees', async () => {
    expect(outline(await read('sphinx'))).toEqual([
      'document Stars /index',
      'group Sky /sky',
      '  document North /north',
      '  document Far (Far away) /far',
      '    document Galaxies /galaxy',
    ]);
  });

  it('has directives, roles and targets', async () => {
    const plan = await read('sphinx');
    const made = await page(plan, 'North');
    expect(made).toContain('## The pole star <a href="#pole-star" id="pole-star"></a>');
    expect(made).toContain(
      '{% hint style="info" %}\nSee [far/index](Far), [galaxies](Galaxies) and <kbd>N</kbd>.\n\n```py\nlook()\n```\n{% endhint %}',
    );
    expect(made).toContain('<summary>Cold</summary>\n\nNights are.');
    expect(made).toContain('{% code title="star.py" lineNumbers="true" %}\n```python\nshine()\n```\n{% endcode %}');
    expect(made).toContain('{% tab title="Glass" %}\nSee more.\n{% endtab %}\n{% endtabs %}');
    expect(made).toContain('```{list-table}\n* - one\n```');
    expect(await reports(plan)).toEqual(['docs/north.md:37: {list-table} is not supported and is kept verbatim']);
  });
});

describe('wikis and exports', () => {
  it('of GitHub have their sidebar and links between brackets', async () => {
    const plan = await read('github-wiki');
    expect(outline(plan)).toEqual([
      'document Home /home',
      'document Setting up /set-up',
      '  document Help /ask-for-help',
    ]);
    expect(await page(plan, 'Home')).toBe(
      'Welcome. See [Setting up](<Setting up>) and [Ask for help](Help).\n\n' +
        '{% hint style="warning" %}\nUnder work.\n{% endhint %}\n',
    );
  });

  it('of Docmost, Outline and Notion have pages below the page of their name', async () => {
    const [docmost, outlined, notion] = [await read('docmost'), await read('outline'), await read('notion')];
    expect(outline(docmost)).toEqual([
      'document Bread /bread',
      '  document Sourdough /sourdough',
      'document Ovens /ovens',
    ]);
    expect(outline(outlined)).toEqual(['group Garden /garden', '  document Trees /trees', '    document Apple /apple']);
    expect(outline(notion)).toEqual(['document Trips /trips', '  document Alps /alps']);
    expect(await page(docmost, 'Bread')).toBe(
      '{% hint style="info" %}\nFlour and water.\n{% endhint %}\n\nSee [sourdough](Sourdough).\n',
    );
    expect(await page(outlined, 'Trees')).toBe(
      '{% hint style="success" %}\nWater them.\n{% endhint %}\n\n![leaf](leaf.svg)\n',
    );
    expect(await page(notion, 'Trips')).toBe(
      '{% hint style="info" %}\n💡 Pack **light**.\n{% endhint %}\n\n[Alps](Alps)\n',
    );
  });
});

describe('an export of Confluence', () => {
  it('has the tree of its index, the pages of its first page beside it', async () => {
    const plan = await read('confluence');
    expect(outline(plan)).toEqual([
      'document Bell Tower Home /bell-tower-home',
      'document Ringing the bells /ringing-the-bells',
      '  document Läuten am Abend /lauten-am-abend',
      'document Ropes /ropes',
    ]);
    expect(plan.files.map(({ name }) => name)).toEqual(['frame.svg', 'bells.json', 'rope lengths.txt']);
  });

  it('has its macros as blocks, and nothing of what surrounds its pages', async () => {
    const made = await page(await read('confluence'), 'Ringing the bells');
    const anchor = '<a href="#ringingthebells-beforeyouring" id="ringingthebells-beforeyouring"></a>';
    expect(made).toBe(
      [
        `# Before you ring ${anchor}`,
        '{% hint style="warning" %}\n**Mind the clapper**\n\nIt is **heavy**.\n\n* Stand back.\n{% endhint %}',
        '{% hint style="info" %}\n**Hours**\n\nAt noon, _never_ at night.\n{% endhint %}',
        '* [x] Oil the axle\n* [ ] Count the `bells`',
        '{% code title="peal.py" lineNumbers="true" %}\n```python\ndef ring():\n\n    return "*ding* {% dong %}"\n```\n{% endcode %}',
        '<details>\n\n<summary>Order of the bells</summary>\n\n1. Treble\n2. Tenor\n\n</details>',
        '<table><thead><tr><th>Bell</th><th>Weight</th></tr></thead><tbody>' +
          '<tr><td>Treble</td><td><p>200 kg</p><ul><li>bronze</li></ul></td></tr>' +
          '<tr><td>Tenor</td><td><mark style="background-color:red;">Cracked</mark></td></tr></tbody></table>',
        'See [how to splice](Ropes#ropes-splicing), [the beginning](#ringingthebells-beforeyouring) and ' +
          '[evenings](<Läuten am Abend>); 5 \\* 3 \\* 2 is \\{% not a tag %}.',
        '<figure><img src="frame.svg" alt="The frame" width="320"><figcaption></figcaption></figure>',
        'Numbers: [bells.json](bells.json)',
        'Chart: `<img class="wysiwyg-unknown-macro" src="plugins/servlet/confluence/placeholder/unknown-macro?name=ringchart">`',
        '{% embed url="https://video.example.com/embed/peal" %}',
        '<video src="attachments/1101/peal.mp4" controls=""></video>',
        '[Lost](Lost_9999.html)',
        '{% file src="rope lengths.txt" %}\n',
      ].join('\n\n'),
    );
  });

  it('has columns, statuses, emoticons, issues, and quotes where no hint can stand', async () => {
    const plan = await read('confluence');
    expect(await page(plan, 'Bell Tower Home')).toBe(
      '{% columns %}\n{% column %}\nEight bells hang here. Begin with [ringing](<Ringing the bells>), or ask Ida Ringer.\n' +
        '{% endcolumn %}\n\n{% column %}\n<mark style="background-color:green;">Open</mark> all year ✅\n' +
        '{% endcolumn %}\n{% endcolumns %}\n',
    );
    expect(await page(plan, 'Ropes')).toContain(
      '* First [BELL-4](https://jira.example.com/browse/BELL-4)\n\n  > Use wax.\n',
    );
  });

  it('reports what it cannot take over, at its place', async () => {
    const unknown =
      '<img class="wysiwyg-unknown-macro" src="plugins/servlet/confluence/placeholder/unknown-macro?name=ri';
    expect(await reports(await read('confluence'))).toEqual([
      'Ringing-the-bells_1101.html:37: Lost_9999.html leads nowhere',
      `Ringing-the-bells_1101.html:34: ${unknown} is not supported and is kept verbatim`,
      'Ringing-the-bells_1101.html:36: <video src="attachments/1101/peal.mp4" controls=""></video> is not supported and is kept verbatim',
      'Ringing-the-bells_1101.html:46: 1 comment is not imported',
    ]);
  });
});

describe('a portable ZIP of BookStack', () => {
  it('has chapters as groups or, with a text of their own, as pages', async () => {
    const plan = await read('bookstack');
    expect(outline(plan)).toEqual([
      'document Bakery handbook /bakery-handbook',
      'document Oven /oven',
      'document Bread /bread',
      '  document Sourdough /sourdough',
      'group Cake /cake',
      '  document Sponge /sponge',
    ]);
    expect(plan.files.map(({ name }) => name)).toEqual(['c0Ver1.jpg', 'oven.svg', 'firing log.txt']);
    const [book] = plan.pages;
    expect(book && (await plan.readPage(book)).attributes.cover).toMatchObject({ ref: { kind: 'file' } });
  });

  it('has pages in HTML and in Markdown, with their references and attachments', async () => {
    const plan = await read('bookstack');
    expect(await page(plan, 'Oven')).toBe(
      [
        'Light the **fire**; see [dough](Sourdough#bkmrk-dough) and [the chapter](Bread).',
        '{% hint style="danger" %}\nDoors get _hot_.\n{% endhint %}',
        '## Steps <a href="#bkmrk-steps-fc" id="bkmrk-steps-fc"></a>',
        '* [x] Sweep\n* [ ] Load',
        '```php\necho 450;\n\necho 460;\n```',
        '<details>\n\n<summary>More</summary>\n\nBeech burns longest.\n\n</details>',
        '[Log](<firing log.txt>) <img src="oven.svg" alt="Oven" width="300">',
        '![](oven.svg)',
        '{{@13}}',
        '[Gone](/\\[\\[bsexport:page:99]])',
        '{% file src="firing log.txt" %}',
        '[Supplier](https://example.com/wood)\n',
      ].join('\n\n'),
    );
    expect(await page(plan, 'Sourdough')).toBe(
      'Mix _flour_ and water.\n\n{% hint style="info" %}\nRest it for **an hour**.\n{% endhint %}\n\n## Dough\n\n' +
        '![Oven](oven.svg) and [the oven](Oven)\n\n* [x] Weighed\n\n{{@11#bkmrk-hot}}\n',
    );
  });

  it('reports references to what it lacks, by the page and its line', async () => {
    expect(await reports(await read('bookstack'))).toEqual([
      'oven.html:15: /[[bsexport:page:99]] leads nowhere',
      'oven.html:14: {{@13}} is not supported and is kept verbatim',
      'bread/sourdough.md:11: {{@11#bkmrk-hot}} is not supported and is kept verbatim',
    ]);
  });

  it('says so where its data are none', async () => {
    const bytes = Buffer.from('{"shelf": {}}');
    const plan = await planImport(new Map([['data.json', { size: bytes.length, read: async () => bytes }]]), {
      newId: () => 'id',
    });
    expect(await reports(plan)).toEqual(['data.json:1: it holds no book, chapter or page of BookStack']);
  });
});

describe('a folder of our own', () => {
  it('is read as such, whatever other tools have left in it', async () => {
    const { files } = await readFolder(resolve('test/fixtures/tools/docusaurus'));
    const summary = Buffer.from('* [Intro](docs/intro.md)\n');
    const plan = await planImport(
      new Map(files).set('SUMMARY.md', { size: summary.length, read: async () => summary }),
      {
        newId: () => 'id',
      },
    );
    const [intro] = plan.pages;
    expect(intro && (await plan.readPage(intro)).json).toContain(':::tip[Keep it dry]');
  });
});
