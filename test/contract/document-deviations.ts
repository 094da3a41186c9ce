import { addProperty, propertiesWith, schemaOf, type Deviation } from './deviation.js';
import type { OpenApiDocument, Schema } from './json-schema.js';

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const TEXT: Schema = { type: 'string' };
const FLAG: Schema = { type: 'boolean' };
const ATTRIBUTES: Schema = { type: 'object', additionalProperties: TEXT };
const CAPTION: Schema = { type: 'array', items: ref('DocumentFragment') };

/** Blocks in which any top-level block may stand. */
const CONTAINERS = [
  'DocumentBlockHint',
  'DocumentBlockListItem',
  'DocumentBlockQuote',
  'DocumentBlockTabsItem',
  'DocumentBlockStepperStep',
  'DocumentBlockColumn',
  'DocumentBlockIf',
];

/** Adds blocks to those of the top level. */
function addToTop(document: OpenApiDocument, names: readonly string[]): void {
  const top = schemaOf(document, 'DocumentBlocksTopLevels');
  const known = new Set(top.oneOf?.map((member) => member.$ref));
  top.oneOf = [...(top.oneOf ?? []), ...names.map(ref).filter(({ $ref }) => !known.has($ref))];
}

function widenContainers(document: OpenApiDocument): void {
  addToTop(document, ['DocumentBlockIf', 'DocumentBlockColumns']);
  const top = ref('DocumentBlocksTopLevels');
  for (const name of CONTAINERS) {
    const { nodes } = propertiesWith(schemaOf(document, name), 'nodes');
    if (nodes) nodes.items = top;
  }
  const { fragments } = propertiesWith(schemaOf(document, 'DocumentBlockExpandable'), 'fragments');
  for (const fragment of fragments?.items?.oneOf ?? []) {
    const { fragment: name, nodes } = propertiesWith(fragment, 'fragment');
    if (name?.enum?.includes('expandable-body') && nodes) nodes.items = top;
  }
}

/** Adds fields to the `data` of a block or inline. */
function addData(document: OpenApiDocument, name: string, fields: Readonly<Record<string, Schema>>): void {
  const { data } = propertiesWith(schemaOf(document, name), 'data');
  if (!data) throw new Error(`${name} has no data`);
  for (const [field, schema] of Object.entries(fields)) addProperty(data, field, schema);
}

/** What Markdown says and the public model has no place for. */
function keepWhatMarkdownSays(document: OpenApiDocument): void {
  const link: Schema = { type: 'object', required: ['title', 'url'], properties: { title: TEXT, url: TEXT } };
  addData(document, 'DocumentBlockHeading', { level: { type: 'integer', enum: [4, 5, 6] } });
  addData(document, 'DocumentBlockImage', { attributes: ATTRIBUTES });
  addData(document, 'DocumentBlockCode', { meta: TEXT });
  addData(document, 'DocumentBlockOpenAPI', { link });
  for (const name of ['Operation', 'Schemas', 'Webhook'])
    addData(document, `DocumentBlockOpenAPI${name}`, { link, fullWidth: FLAG });
  addData(document, 'DocumentInlineLink', { title: TEXT, attributes: ATTRIBUTES });
  addData(document, 'DocumentInlineImage', { attributes: ATTRIBUTES });
  addData(document, 'DocumentInlineExpression', { raw: TEXT });
  addData(document, 'DocumentInlineMention', { text: TEXT });
  for (const name of ['DocumentBlockFile', 'DocumentBlockEmbed'])
    addProperty(schemaOf(document, name), 'fragments', CAPTION);
}

const COLORS = ['pink', 'violet', 'cyan', '$tint'];

function newerData(document: OpenApiDocument): void {
  const icon = ref('Icon');
  addData(document, 'DocumentBlockHint', { icon });
  addData(document, 'DocumentBlockExpandable', { defaultExpanded: FLAG });
  addData(document, 'DocumentBlockTabsItem', { icon, slug: TEXT });
  addData(document, 'DocumentBlockTable', { search: FLAG });
  const [grid, cards] = [schemaOf(document, 'DocumentTableViewGrid'), schemaOf(document, 'DocumentTableViewCards')];
  addProperty(grid, 'stickyHeader', FLAG);
  addProperty(grid, 'stickyFirstColumn', FLAG);
  addProperty(cards, 'wrap', FLAG);
  addProperty(schemaOf(document, 'ContentRefFile'), 'space', TEXT);
  for (const name of ['DocumentTextColor', 'DocumentTextBackgroundColor'])
    schemaOf(document, name).enum?.push(...COLORS);
  addActions(document);
}

/** A button that opens the search instead of leading somewhere. */
function addActions(document: OpenApiDocument): void {
  const { data } = propertiesWith(schemaOf(document, 'DocumentInlineButton'), 'data');
  const [look, target] = data?.allOf ?? [];
  if (!look || !target?.oneOf) throw new Error('A button has no target');
  addProperty(look, 'size', { type: 'string', enum: ['small', 'medium', 'large'] });
  const action: Schema = {
    type: 'object',
    required: ['action'],
    properties: { action: { type: 'string', enum: ['search', 'ask'] }, query: TEXT },
  };
  target.oneOf.push({ type: 'object', required: ['action'], properties: { action }, not: { required: ['ref'] } });
}

/** A block that holds others. */
const holding = (type: string, data: Schema, nodes: Schema): Schema => ({
  type: 'object',
  required: ['object', 'type', 'data', 'isVoid', 'nodes'],
  properties: {
    object: { type: 'string', enum: ['block'] },
    type: { type: 'string', enum: [type] },
    key: TEXT,
    isVoid: { type: 'boolean', enum: [false] },
    data,
    nodes: { type: 'array', ...nodes },
  },
});

function newerBlocks(document: OpenApiDocument): void {
  const { schemas } = document.components;
  const tag: Schema = {
    type: 'object',
    required: ['kind', 'tag'],
    properties: { kind: { type: 'string', enum: ['tag'] }, tag: TEXT, space: TEXT },
  };
  const updates: Schema = {
    type: 'object',
    properties: { format: { type: 'string', enum: ['numeric', 'full', 'short'] } },
  };
  const update: Schema = {
    type: 'object',
    required: ['date'],
    properties: { date: TEXT, tags: { type: 'array', items: ref('ContentRefTag') } },
  };
  const shown: Schema = { type: 'string', enum: ['hidden', 'partial', 'full'] };
  const prompt: Schema = {
    type: 'object',
    required: ['description'],
    properties: { description: TEXT, icon: ref('Icon'), openInAIProviders: FLAG, defaultExpanded: shown },
  };
  schemas['ContentRefTag'] = tag;
  schemas['DocumentBlockUpdate'] = holding('update', update, { items: ref('DocumentBlocksTopLevels') });
  schemas['DocumentBlockUpdates'] = holding('updates', updates, { items: ref('DocumentBlockUpdate') });
  schemas['DocumentBlockPrompt'] = holding('prompt', prompt, { items: ref('DocumentBlockCode') });
  addToTop(document, ['DocumentBlockUpdates', 'DocumentBlockPrompt']);
}

/** The deviations of documents: what stands in a page besides what the public build at hand describes. */
export const DOCUMENT_DEVIATIONS: readonly Deviation[] = [
  {
    where: 'documents',
    what: 'any top-level block inside hint, list-item, blockquote, expandable-body, tabs-item, stepper-step, column and if; `if` and `columns` stand on top',
    reason:
      'interface, Block: `nodes` (recursive). Existing documentation puts fences in hints, tabs in steps and tables in tabs',
    apply: widenContainers,
  },
  {
    where: 'documents made of Markdown',
    what: 'headings below the third level carry their `level`, other nodes what Markdown and HTML say of them besides: titles and attributes of links and images, the rest of an info string, captions of files and embeds, the words of a mention, links in place of specifications, tags that show nothing',
    reason:
      'content, documents and Markdown: typed nodes (headings by level …) equal those in the source, nothing is dropped, and import, export and import again give the same documents',
    apply: keepWhatMarkdownSays,
  },
  {
    where: 'fields of documents',
    what: 'icons of hints and tabs, expandables that begin open, sticky and searchable tables, cards in one row, files of other spaces, sizes and actions of buttons, four more colours',
    reason: 'contract 4.1: the newer public build has them, and the Markdown of existing documentation uses them',
    apply: newerData,
  },
  {
    where: 'blocks of documents',
    what: '`updates`, `update` and `prompt`',
    reason:
      'content, documents and Markdown: the dialect has `{% updates %}`; contract 4.1: the newer public build has the blocks',
    apply: newerBlocks,
  },
];
