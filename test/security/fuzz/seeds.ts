import { everyConstruct } from '../../every-construct.js';
import type { Dice } from './dice.js';
import { HOSTILE_CONTENT } from './hostile.js';
import { mutated } from './values.js';

/** A description of an API in which most of what there is stands once. */
const SPECIFICATION = {
  openapi: '3.1.0',
  info: { title: 'Pets «canary»', version: '1.0.0', description: '# Pets\n\n«canary»', 'x-page-title': 'Pets' },
  servers: [
    {
      url: 'https://{region}.example.com/{path}',
      variables: { region: { default: 'eu', enum: ['eu', 'us'] }, path: { default: 'v1' } },
    },
  ],
  tags: [
    { name: 'pets', description: 'All of them', 'x-parent': 'animals', 'x-page-icon': 'cat' },
    { name: 'animals' },
  ],
  security: [{ key: [] }],
  paths: {
    '/pets/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        tags: ['pets'],
        operationId: 'getPet',
        summary: 'A pet',
        deprecated: true,
        parameters: [
          { name: 'q', in: 'query', schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } },
        ],
        responses: {
          200: {
            description: 'It',
            headers: { 'X-A': { schema: { type: 'integer' } } },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Pet' },
                examples: { one: { value: { id: 1 } } },
              },
            },
          },
          default: { $ref: '#/components/responses/Fault' },
        },
      },
      post: {
        tags: ['pets', 'no such tag'],
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
            },
          },
        },
        callbacks: { told: { '{$request.body#/url}': { post: { responses: { 204: { description: 'ok' } } } } } },
        responses: {},
      },
    },
  },
  webhooks: {
    born: {
      post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } } },
    },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } } },
    responses: { Fault: { description: 'A fault' } },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      oauth: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://example.com/', scopes: { a: 'b' } } } },
    },
    schemas: {
      Pet: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'integer' },
          parent: { $ref: '#/components/schemas/Pet' },
          kind: {
            oneOf: [{ $ref: '#/components/schemas/Cat' }, { type: 'null' }],
            discriminator: { propertyName: 'type', mapping: { cat: '#/components/schemas/Cat' } },
          },
        },
        additionalProperties: { type: ['string', 'null'] },
      },
      Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { properties: { type: { const: 'cat' } } }] },
    },
  },
};

const MARKDOWN =
  '# «canary»\n\n> [!NOTE]\n> a\n\n{% tabs %}\n{% tab title="A" %}\n| a | b |\n|---|:-:|\n| 1 | `x` |\n{% endtab %}\n{% endtabs %}\n\n<details><summary>S</summary>\n\n- [x] done\n  1. one\n\n</details>\n\n```js {% title="a" lineNumbers="true" %}\nx\n```\n\n<figure><img src="https://example.com/a.png" alt=""><figcaption>c</figcaption></figure>\n\n$$a$$ [^1] <mark style="color:red;">r</mark>\n\n[^1]: note';

const ids = {
  file: '«fileId»',
  page: '«pageId»',
  space: '«spaceId»',
  collection: '«collectionId»',
  user: '«userId»',
  reusableContent: '«reusableContentId»',
};

const text = (dice: Dice): unknown => {
  const kind = dice.below(5);
  if (kind === 0) return dice.pick(HOSTILE_CONTENT);
  if (kind === 1)
    return { markdown: dice.chance(50) ? MARKDOWN.slice(dice.below(MARKDOWN.length), MARKDOWN.length) : MARKDOWN };
  if (kind === 2) return { markdown: dice.pick(HOSTILE_CONTENT.filter((each) => typeof each === 'string')) };
  return {
    document: dice.chance(80)
      ? mutated(dice, everyConstruct(ids))
      : dice.pick(HOSTILE_CONTENT.filter((each) => typeof each === 'object')),
  };
};

function changes(dice: Dice): unknown {
  const choices: readonly (() => unknown)[] = [
    () => ({ operation: 'update_page', page: '«pageId»', document: text(dice) }),
    () => ({
      operation: 'insert_page',
      title: '«canary»',
      document: text(dice),
      parent: dice.pick([undefined, '«pageId»', '«pageId@»']),
    }),
    () => ({
      operation: 'insert_page',
      title: 'API',
      type: 'computed',
      computed: { type: 'openapi', spec: '«specSlug»' },
    }),
    () => ({
      operation: 'insert_page',
      title: 'Link',
      type: 'link',
      target: { kind: 'url', url: dice.pick(['javascript:alert(1)', 'https://example.com/']) },
    }),
    () => ({
      operation: 'update_page',
      page: '«pageId»',
      title: '«canary»',
      layout: { outline: false },
      variables: { a: '{{ b }}', '«proto»': 1 },
    }),
    () => ({ operation: 'insert_reusable_content', title: '«canary»', document: text(dice) }),
    () => ({ operation: 'update_reusable_content', reusableContent: '«reusableContentId»', document: text(dice) }),
    () => ({ operation: 'set_variables', variables: { product: '«canary»', __x: 'a' } }),
    () => ({
      operation: 'insert_files',
      files: [
        {
          name: dice.pick(['a.svg', '../a.png', 'a\u0000.txt', '.htaccess', 'a'.repeat(300)]),
          contentType: dice.pick(['image/svg+xml', 'text/html', 'x', 'image/png']),
          base64: Buffer.from(dice.pick(['<svg onload="alert(1)"/>', '\x89PNG\r\n\x1a\n', 'GIF89a', ''])).toString(
            'base64',
          ),
        },
      ],
    }),
    () => ({ operation: 'move_page', page: '«pageId»', parent: '«pageId»', position: {} }),
  ];
  return { changes: Array.from({ length: 1 + dice.below(4) }, () => dice.pick(choices)()) };
}

const source = (dice: Dice): unknown =>
  dice.chance(70)
    ? { text: JSON.stringify(mutated(dice, SPECIFICATION)) }
    : dice.chance(50)
      ? { text: dice.pick(HOSTILE_CONTENT.filter((each) => typeof each === 'string')) }
      : {
          url: dice.pick([
            'http://127.0.0.1:9/«canary»',
            'file:///etc/passwd',
            'http://169.254.169.254/',
            'https://user:pw@example.com/x',
          ]),
        };

const part = (dice: Dice): unknown =>
  mutated(
    dice,
    dice.pick([
      {
        type: 'message',
        role: dice.pick(['user', 'assistant', 'team-member']),
        body: dice.pick([
          'How do I reset «canary»? My mail is a@example.com, card 4111 1111 1111 1111, phone +49 170 1234567.',
          '<p>Hi</p><script>x</script>',
          'x '.repeat(20_000),
          '',
        ]),
      },
      { type: 'message', role: 'user', body: dice.pick(HOSTILE_CONTENT) },
    ]),
  );

/** What is hostile in other ways than by ids of the other organization: instructions are given back word for word. */
const OWN_CONTENT = HOSTILE_CONTENT.filter((each) => !JSON.stringify(each).includes('@»'));

/** Further bodies of operations whose schemas say least about what is inside. */
export const MADE_SEEDS: Readonly<Record<string, (dice: Dice) => unknown>> = {
  updateSpaceContent: changes,
  updateChangeRequestContent: changes,
  createOpenAPISpec: (dice) => ({
    slug: `pets-${dice.below(100_000)}`,
    source: source(dice),
    visibility: dice.pick(['private', 'public']),
  }),
  createOrUpdateOpenAPISpecBySlug: (dice) => ({ source: source(dice) }),
  ingestConversation: (dice) => ({
    id: `c${dice.below(100_000)}`,
    subject: '«canary»',
    metadata: mutated(dice, {
      url: 'https://example.com/',
      attributes: { plan: 'pro' },
      createdAt: '2026-01-01T00:00:00.000Z',
    }),
    parts: Array.from({ length: dice.below(4) }, () => part(dice)),
  }),
  createTranslation: (dice) => ({
    source: { space: dice.pick(['«spaceId»', '«spaceId@»']), language: dice.pick(['en', 'xx', 'de']) },
    language: dice.pick(['es', 'ja', 'zh', 'en', 'klingon']),
    instructions: dice.pick(OWN_CONTENT),
  }),
  updateTranslation: (dice) => ({ instructions: text(dice) }),
  importTranslation: (dice) => ({
    format: dice.pick(['xliff', 'po', 'tmx']),
    content: dice.pick([
      '«canary»',
      'msgid "a"\nmsgstr "b"',
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><tmx>&a;</tmx>',
      '<xliff/>',
      '<tmx><body/></tmx>',
    ]),
  }),
  updateTranslationSegment: (dice) => ({
    target: dice.pick(['«canary»', '<pc id="1">x</pc>', '</pc>', '<ph id="1"/>', 'a\u0000b', 'x'.repeat(60_000)]),
    ...(dice.chance(30) && { state: dice.pick(['reviewed', 'machine', 'outdated']) }),
  }),
  updateGlossaryEntries: (dice) => ({
    operations: Array.from({ length: 1 + dice.below(3) }, () =>
      mutated(
        dice,
        dice.pick([
          { type: 'insert', translations: { en: '«canary»', es: 'página' } },
          { type: 'update', id: '«glossaryEntryId»', translations: { en: 'x' } },
          { type: 'delete', id: dice.pick(['«glossaryEntryId@»', 'x']) },
        ]),
      ),
    ),
  }),
  updateAgentInstructions: (dice) => ({ instructions: text(dice) }),
  postCommentInSpace: (dice) => ({ body: text(dice), page: '«pageId»' }),
  postCommentInChangeRequest: (dice) => ({ body: text(dice), page: '«pageId»' }),
};
