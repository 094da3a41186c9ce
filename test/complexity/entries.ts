import { parseExpression } from '../../src/kernel/common/expressions/parse.js';
import { evaluateText } from '../../src/kernel/common/expressions/evaluate.js';
import { EvaluationBudget } from '../../src/kernel/common/expressions/evaluation-budget.js';
import { webAddress } from '../../src/kernel/common/web-address.js';
import { parseCookies } from '../../src/kernel/common/cookies.js';
import { mergeDocument } from '../../src/authoring/content/domain/merge-document.js';
import { outlineOf } from '../../src/authoring/content/domain/computed/outline.js';
import { anchorOf } from '../../src/formats/document/anchors.js';
import { paragraph, plain } from '../../src/formats/document/build.js';
import { deriveDocument } from '../../src/formats/document/derive.js';
import { evaluateDocument } from '../../src/formats/document/evaluate.js';
import { canonicalJson, hashDocument } from '../../src/formats/document/hash.js';
import { assignKeys } from '../../src/formats/document/keys.js';
import type { Document } from '../../src/formats/document/types.js';
import { validateDocument } from '../../src/formats/document/validate.js';
import { revertBlocks } from '../../src/authoring/content/domain/revert-blocks.js';
import { readLinkTarget } from '../../src/formats/document/link-target.js';
import { slugOf } from '../../src/authoring/content/domain/slug.js';
import { COMMENT_PARSE_LIMITS } from '../../src/formats/markdown/parse-limits.js';
import { checkPage } from '../../src/formats/markdown/check.js';
import { readFrontmatter, writeFrontmatter } from '../../src/formats/markdown/frontmatter.js';
import { tokenizeHtml } from '../../src/formats/markdown/html.js';
import { readHtmlFragment, readHtmlPage } from '../../src/formats/markdown/html-tree.js';
import { DIALECTS } from '../../src/formats/markdown/dialects/dialect.js';
import { exportedHead, indexLists, writeExportedPage } from '../../src/formats/markdown/exports/exported-page.js';
import { rewriteBody } from '../../src/formats/markdown/dialects/rewrite.js';
import { interpretMarkdown, parseMarkdown, readMarkdown } from '../../src/formats/markdown/parse.js';
import { cleanPastedHtml } from '../../src/formats/markdown/pasted-html.js';
import { placeholdersIn, renderPlaceholders } from '../../src/formats/markdown/references.js';
import { serializeMarkdown } from '../../src/formats/markdown/serialize.js';
import { styleOf, USUAL_STYLE } from '../../src/formats/markdown/source-style.js';
import { UNESCAPED_MARKS } from '../../src/formats/markdown/spared-escapes.js';
import { splitTags } from '../../src/formats/markdown/tags.js';
import { keepFrontmatter } from '../../src/formats/markdown/keep-frontmatter.js';
import { readYaml, YamlLines } from '../../src/formats/markdown/yaml.js';
import { cleanBody, cleanSubject } from '../../src/insight/conversations/domain/clean-message.js';
import { detectLanguage } from '../../src/insight/conversations/domain/detect-language.js';
import { plainText } from '../../src/insight/conversations/domain/plain-text.js';
import { redacted } from '../../src/insight/conversations/domain/redaction/redact.js';
import { sentencesOf } from '../../src/insight/conversations/domain/sentences.js';
import { termsOf } from '../../src/insight/conversations/domain/terms.js';
import { readComputed } from '../../src/authoring/interchange/domain/computed-entry.js';
import { keepTags } from '../../src/authoring/interchange/domain/keep-tags.js';
import { keepSiteFile } from '../../src/authoring/interchange/domain/site-file/keep-site-file.js';
import { readSiteFile } from '../../src/authoring/interchange/domain/site-file/read-site-file.js';
import { readTags } from '../../src/authoring/interchange/domain/tags-file.js';
import { readRepositoryConfig } from '../../src/authoring/interchange/domain/gitbook-yaml.js';
import { mergedConfig } from '../../src/authoring/interchange/domain/repository-layout.js';
import { readRobots } from '../../src/authoring/interchange/domain/robots.js';
import { readSummary } from '../../src/authoring/interchange/domain/summary.js';
import { readBookStack } from '../../src/authoring/interchange/domain/tools/exports.js';
import { readNavigation } from '../../src/authoring/interchange/domain/tools/navigation.js';
import { readPageHead } from '../../src/authoring/interchange/domain/tools/page-head.js';
import { ReadWebPage } from '../../src/authoring/interchange/domain/web-page.js';
import { pointerLines as linesOfSpecification, parseText } from '../../src/formats/openapi/reading/parse.js';
import { readSpecification } from '../../src/formats/openapi/reading/read-specification.js';
import { breakLines, type TextStyle } from '../../src/formats/pdf/layout/line-breaking.js';
import { sizeFaultOf } from '../../src/kernel/platform/http/json-checks.js';
import { dimensionsOf, sniffType } from '../../src/kernel/platform/storage/media-type-sniffing.js';
import { fileAddressesIn } from '../../src/publishing/published-sites/pages/static/domain/file-addresses.js';
import { comparableWords } from '../../src/publishing/published-sites/pages/static/domain/search-index.js';
import { readStaticHtml } from '../../src/publishing/published-sites/pages/static/domain/static-html.js';
import { isDrawing } from '../../src/publishing/published-sites/pages/static/domain/static-paths.js';
import { repeatedName } from '../../src/kernel/common/json-names.js';
import { readRison } from '../../src/publishing/published-sites/domain/rison.js';
import { loadFormulas } from '../../src/formats/html/formulas.js';
import { rawMarkupContent } from '../../src/formats/html/raw-markup.js';
import { renderContent } from '../../src/formats/html/render.js';
import { operationText } from '../../src/formats/openapi/domain/operation-text.js';
import { supportedBlocks } from '../../src/authoring/answers/domain/answer-check.js';
import { parseModelAnswer } from '../../src/authoring/answers/domain/answer-prompt.js';
import { sectionText } from '../../src/authoring/answers/domain/passage.js';
import { compoundSplits } from '../../src/authoring/search/domain/compound-words.js';
import { editDistance, resemblingPatterns } from '../../src/authoring/search/domain/edit-distance.js';
import { excerptOf } from '../../src/authoring/search/domain/excerpt.js';
import { synonymsOf } from '../../src/authoring/search/domain/synonyms.js';
import { foldedWords } from '../../src/authoring/search/domain/text-folding.js';
import { comparedWords, parseQuery, rankedTerms } from '../../src/authoring/search/domain/search-terms.js';
import { comparablePath, redirectsOfYaml, sourceOf } from '../../src/publishing/sites/domain/redirects.js';
import { readUserAgent } from '../../src/publishing/sites/domain/user-agent.js';
import { parseXml, safeXml } from '../../src/identity/sso/domain/saml-xml.js';
import { TermFinder } from '../../src/insight/translations/domain/glossary.js';
import { fuzzyMatches, segmentDiff } from '../../src/insight/translations/domain/fuzzy-match.js';
import { segmentOfTagged, taggedSegment } from '../../src/insight/translations/domain/inline-tags.js';
import { readPo } from '../../src/insight/translations/files/po.js';
import { readTmx } from '../../src/insight/translations/files/tmx.js';
import { readXliff } from '../../src/insight/translations/files/xliff.js';
import { segmentsOf } from '../../src/insight/translations/domain/translate-document.js';
import { SegmentMasker } from '../../src/insight/translations/engines/domain/segment-masker.js';
import { fromTagged, toTagged } from '../../src/insight/translations/engines/domain/tagged-text.js';
import { halves } from '../../src/insight/translations/engines/domain/sentences.js';
import { fromStream, toStream } from '../../src/insight/translations/engines/domain/apertium-stream.js';
import { EVERYTHING } from '../rendered-html.js';
import type { Run } from './measure.js';
import {
  EXPORTED,
  EXPRESSIONS,
  FORMULAS,
  HTML,
  LINES,
  MARKDOWN,
  PASTED,
  QUERIES,
  ROBOTS,
  SPARED,
  SPECIFICATIONS,
  TEXT,
  TOOLS,
  XML,
  YAML,
  type Shapes,
} from './shapes.js';

/** A way in for text from outside. */
export interface Entry {
  /** The modules of `src` through which the text goes, up to and with those that call a parser. */
  readonly modules: readonly string[];
  readonly shapes: Shapes;
  /** Characters that a text may have there. */
  readonly most: number;
  readonly run: Run;
}

const readQuery = (query: string): unknown => {
  const { words } = parseQuery(query);
  return [rankedTerms(words, synonymsOf), comparedWords(words).map(({ word }) => compoundSplits(word))];
};
const MB = 1024 * 1024;
/** A tool for each combination of constructs. */
const TOOL_NAMES = ['vitepress', 'mkdocs', 'mintlify', 'sphinx', 'github-wiki', 'notion'] as const;

/** What refuses a text with an error has read it; which error that is, is the matter of other tests. */
const refusing =
  (work: (text: string) => unknown): Run =>
  (text) =>
  () => {
    try {
      return work(text);
    } catch {
      return undefined;
    }
  };
/** As many texts as lengths are compared. */
const KEPT = 3;
const documents = new Map<string, string>();

/** The document that a page of Markdown becomes; each is read once, and given anew every time, so that nothing of it is known before. */
function documentOf(text: string): Document {
  const json = documents.get(text) ?? JSON.stringify(parseMarkdown(text, { page: false }).document);
  documents.set(text, json);
  for (const oldest of [...documents.keys()].slice(0, -KEPT)) documents.delete(oldest);
  return JSON.parse(json) as Document;
}

/** Works on the document of a text; what reading it costs does not count. */
const ofDocument =
  (work: (document: Document) => unknown): Run =>
  (text) => {
    const document = documentOf(text);
    return () => work(document);
  };

let keys = 0;
const keyed = (document: Document): Document => assignKeys(document, undefined, () => `k${keys++}`);
/** Another document of the same blocks: every third is gone, and the others are the other way round. */
const changed = (document: Document): Document => ({
  ...document,
  nodes: document.nodes.filter((_, index) => index % 3 !== 1).toReversed(),
});
/** Another document of the same blocks in the same places, most of them changed: as many behind each other as are compared one by one. */
const edited = (document: Document): Document => ({
  ...document,
  nodes: document.nodes.map((block, index) => (index % 101 === 0 ? block : { ...block, meta: { edited: true } })),
});
/** Each line as a paragraph, whatever a document may hold of them. */
const ofLines = (text: string): Document => ({
  object: 'document',
  data: {},
  nodes: text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => paragraph(plain(line))),
});
const blocksOf = (document: Document) => document.nodes.map((block) => ({ ...block, key: block.key ?? '' }));

const CONCEPTS = [
  { weight: 0.5, stems: ['word', 'a'] },
  { weight: 0.5, stems: ['漢字'] },
];
const PASSAGE = {
  ...{ space: '', spaceTitle: '', revision: '', page: '', pageTitle: 'A page', anchor: '', title: '', url: '' },
  language: null,
};
const STYLE: TextStyle = { face: 'sans', size: 10, color: '#000' };
const GLOSSARY = ['page', 'space', 'a', 'word', 'some words', '漢字'].map((source) => ({ source, target: 'x' }));
const FETCHES_NOTHING = async () => ({ problem: 'it is not fetched' });
const formulas = await loadFormulas();

const OF_CONTENT = [
  'formats/markdown/parse',
  'formats/markdown/mdast',
  'formats/markdown/native-mdast',
  'formats/markdown/setext-headings',
  'formats/markdown/html-syntax',
  'formats/markdown/parse-limits',
  'formats/markdown/tag-syntax',
  'formats/markdown/emoji',
  'formats/markdown/parse-blocks',
  'formats/markdown/nest-markup',
  'formats/markdown/parse-table',
];

/** Every way in, by name. */
export const ENTRIES: Readonly<Record<string, Entry>> = {
  'pages of Markdown': {
    modules: OF_CONTENT,
    shapes: { ...MARKDOWN, ...HTML, ...TEXT },
    most: MB,
    run: (text) => () => interpretMarkdown(readMarkdown(text)),
  },
  'pages of other tools': {
    modules: [
      'formats/markdown/parse',
      'formats/markdown/dialects/rewrite',
      'authoring/interchange/domain/tools/page-head',
    ],
    shapes: { ...TOOLS, ...TEXT },
    most: MB,
    run: (text) => () =>
      TOOL_NAMES.map((tool) => {
        readPageHead({ text, tool });
        return rewriteBody(text, DIALECTS[tool]);
      }),
  },
  'pages of exports': {
    modules: [
      'formats/markdown/exports/exported-page',
      'formats/markdown/exports/write-blocks',
      'formats/markdown/exports/confluence-page',
      'formats/markdown/exports/confluence-macros',
      'formats/markdown/exports/bookstack-page',
      'formats/markdown/exports/html-nodes',
    ],
    shapes: { ...HTML, ...EXPORTED },
    most: MB,
    run: (text) => () => [
      exportedHead(text, 'confluence'),
      indexLists(text),
      writeExportedPage(text, 'confluence'),
      writeExportedPage(JSON.stringify({ name: 'a', html: text }), 'bookstack'),
      readBookStack(JSON.stringify({ book: { name: 'a', pages: [{ id: 1, name: text, html: text }] } })),
    ],
  },
  'navigations of other tools': {
    modules: ['authoring/interchange/domain/tools/navigation', 'authoring/interchange/domain/tools/literal'],
    shapes: { ...TOOLS, ...YAML },
    most: MB,
    run: (text) => () =>
      TOOL_NAMES.map((tool) => readNavigation({ tool, sources: [{ path: 'sidebars.js', text }], pages: [] })),
  },
  comments: {
    modules: OF_CONTENT,
    shapes: { ...MARKDOWN, ...PASTED, ...TEXT },
    most: 20_000,
    run: (text) => () => interpretMarkdown(readMarkdown(text, false, COMMENT_PARSE_LIMITS)),
  },
  'documents written as Markdown': {
    modules: ['formats/markdown/serialize', 'formats/markdown/serialize-blocks', 'formats/markdown/serialize-inlines'],
    shapes: { ...MARKDOWN, ...HTML, ...TEXT },
    most: MB,
    run: ofDocument((document) => serializeMarkdown(document)),
  },
  'documents written in the style of a file': {
    modules: ['formats/markdown/spared-escapes', 'formats/markdown/wrapped-lines', 'formats/markdown/source-style'],
    shapes: { ...MARKDOWN, ...HTML, ...TEXT, ...SPARED },
    most: MB,
    run: (text) => {
      const document = documentOf(text);
      return () => [
        styleOf(text),
        serializeMarkdown(document, { style: { ...USUAL_STYLE, width: 72, unescaped: UNESCAPED_MARKS } }),
      ];
    },
  },
  'pasted HTML': {
    modules: [
      'formats/markdown/pasted-html',
      'formats/markdown/pasted-blocks',
      'formats/markdown/pasted-marks',
      'formats/markdown/html-tree',
    ],
    shapes: PASTED,
    most: MB,
    run: (text) => () => cleanPastedHtml(text),
  },
  'fragments of HTML': {
    modules: ['formats/markdown/html-tree'],
    shapes: HTML,
    most: MB,
    run: (text) => () => readHtmlFragment(text, 100),
  },
  'pages of HTML': {
    modules: ['formats/markdown/html-tree'],
    shapes: HTML,
    most: 5 * MB,
    run: (text) => () => readHtmlPage(text, 200),
  },
  'tokens of HTML': {
    modules: ['formats/markdown/html'],
    shapes: { ...HTML, ...MARKDOWN },
    most: MB,
    run: (text) => () => tokenizeHtml(text),
  },
  'pages of static sites': {
    modules: ['publishing/published-sites/pages/static/domain/static-html'],
    shapes: {
      ...HTML,
      files: (n) => '<img src="/~files/a/'.repeat(n / 20),
      versions: (n) => `<p title="${'/~files/a/b?v=a&width='.repeat(n / 22)}">`,
      origins: (n) => `<p title="${'https://a'.repeat(n / 9)}">`,
    },
    most: MB,
    run: (text) => () => readStaticHtml(`<div class="content">${text}`).write(new Map(), ''),
  },
  'texts of static sites': {
    modules: [
      'publishing/published-sites/pages/static/domain/static-paths',
      'publishing/published-sites/pages/static/domain/search-index',
      'publishing/published-sites/pages/static/domain/file-addresses',
    ],
    shapes: { ...HTML, ...TEXT },
    most: MB,
    run: (text) => () => [isDrawing(text), fileAddressesIn(text, 'text'), comparableWords(text)],
  },
  tags: { modules: ['formats/markdown/tags'], shapes: MARKDOWN, most: MB, run: (text) => () => splitTags(text) },
  'references in Markdown': {
    modules: ['formats/markdown/references'],
    shapes: TEXT,
    most: MB,
    run: (text) => () => renderPlaceholders(text, () => String(placeholdersIn(text).length)),
  },
  'front matter': {
    modules: ['formats/markdown/frontmatter', 'formats/markdown/yaml'],
    shapes: YAML,
    most: MB,
    run: (text) => () => writeFrontmatter(readFrontmatter(`---\n${text}\n---\n`).frontmatter),
  },
  'front matter that is kept': {
    modules: ['formats/markdown/keep-frontmatter', 'formats/markdown/yaml-keys'],
    shapes: YAML,
    most: MB,
    run: (text) => () => keepFrontmatter(`---\n${text}\n---\n`, '---\ntitle: Another\n---\n'),
  },
  YAML: {
    modules: ['formats/markdown/yaml'],
    shapes: YAML,
    most: MB,
    run: refusing((text) => [readYaml(text), new YamlLines(text).of('a')]),
  },
  'pages compared with their source': {
    modules: ['formats/markdown/check', 'formats/markdown/check-source'],
    shapes: { ...MARKDOWN, ...HTML },
    most: 200_000,
    run: (text) => () => checkPage(text, parseMarkdown(text).document),
  },

  'documents with keys': {
    modules: ['formats/document/keys'],
    shapes: { ...LINES, ...MARKDOWN },
    most: MB,
    run: (text) => {
      const document = documentOf(text);
      const previous = keyed(changed(document));
      return () => assignKeys(document, previous, () => `n${keys++}`);
    },
  },
  'documents written anew': {
    modules: ['formats/document/keys', 'formats/document/sequence-difference'],
    shapes: LINES,
    most: 128_000,
    run: (text) => {
      const document = ofLines(text);
      const versions = [document, changed(document), edited(document)].map(keyed);
      return () => versions.map((previous) => assignKeys(document, previous, () => `n${keys++}`));
    },
  },
  'documents merged': {
    modules: [
      'authoring/content/domain/merge-document',
      'authoring/content/domain/revert-blocks',
      'formats/document/stored-text',
    ],
    shapes: LINES,
    most: 128_000,
    run: (text) => {
      const base = keyed(ofLines(text));
      const [blocks, other] = [blocksOf(base), blocksOf(changed(base))];
      const all = new Set(blocks.map(({ key }) => key));
      const [was, primary, turned] = [blocks, other, blocks.toReversed()].map((nodes) =>
        canonicalJson({ ...base, nodes }),
      );
      return () => [
        mergeDocument('page:p', { base: was, primary, changed: turned }, () => 'changed'),
        revertBlocks(blocks, other, all),
        revertBlocks(other, blocks, all),
      ];
    },
  },
  'documents derived': {
    modules: ['formats/document/derive'],
    shapes: { ...MARKDOWN, ...TEXT, ...HTML },
    most: MB,
    run: ofDocument((document) => [deriveDocument(document), hashDocument(document), validateDocument(document)]),
  },
  'documents evaluated': {
    modules: ['formats/document/evaluate'],
    shapes: MARKDOWN,
    most: MB,
    run: ofDocument((document) =>
      evaluateDocument(document, { spaceVariables: {}, pageVariables: {}, deterministicOnly: false }),
    ),
  },
  'slugs, anchors and targets': {
    modules: [
      'authoring/content/domain/slug',
      'formats/document/anchors',
      'formats/document/link-target',
      'publishing/sites/domain/redirects',
    ],
    shapes: TEXT,
    most: 100_000,
    run: (text) => () => [
      slugOf(text),
      anchorOf(text),
      readLinkTarget(text, 'a/b'),
      comparablePath(text),
      sourceOf(text),
      webAddress(text, 'https://a.b/'),
    ],
  },
  expressions: {
    modules: ['kernel/common/expressions/parse', 'kernel/common/expressions/evaluate'],
    shapes: EXPRESSIONS,
    most: 1_024,
    run: refusing((text) => evaluateText(parseExpression(text), { a: 'b' }, new EvaluationBudget())),
  },
  'cookies and agents': {
    modules: ['kernel/common/cookies', 'publishing/sites/domain/user-agent'],
    shapes: TEXT,
    most: 16_000,
    run: (text) => () => [parseCookies(text), readUserAgent(text)],
  },
  'sizes of JSON': {
    modules: ['kernel/platform/http/json-checks', 'kernel/common/json-names'],
    shapes: SPECIFICATIONS,
    most: MB,
    run: (text) => {
      const bytes = Buffer.from(text);
      return refusing(() => [sizeFaultOf(bytes), repeatedName(text)])(text);
    },
  },
  'settings in addresses': {
    modules: ['publishing/published-sites/domain/rison'],
    shapes: { ...EXPRESSIONS, ...TEXT },
    most: 16_000,
    run: refusing(readRison),
  },
  'kinds of files': {
    modules: ['kernel/platform/storage/media-type-sniffing'],
    shapes: XML,
    most: 100_000,
    run: (text) => async () => [
      await sniffType(Buffer.from(text), ''),
      dimensionsOf(Buffer.from(text), 'image/svg+xml'),
    ],
  },

  'bodies of conversations': {
    modules: ['insight/conversations/domain/clean-message'],
    shapes: { ...HTML, ...MARKDOWN, ...TEXT },
    most: 100_000,
    run: (text) => () => [cleanBody(text), cleanSubject(text.slice(0, 512))],
  },
  'what conversations say': {
    modules: ['insight/conversations/domain/plain-text'],
    shapes: { ...MARKDOWN, ...TEXT },
    most: 100_000,
    run: (text) => () => plainText(text),
  },
  'people in conversations': {
    modules: ['insight/conversations/domain/redaction/redact', 'insight/conversations/domain/redaction/phones'],
    shapes: TEXT,
    most: 100_000,
    run: (text) => () => redacted({ id: 'a', parts: [{ type: 'message', role: 'user', body: text }], metadata: {} }),
  },
  'words of conversations': {
    modules: [
      'insight/conversations/domain/sentences',
      'insight/conversations/domain/terms',
      'insight/conversations/domain/detect-language',
    ],
    shapes: TEXT,
    most: 100_000,
    run: (text) => () => [sentencesOf(text), termsOf(text), detectLanguage(text)],
  },

  'web pages': {
    modules: ['authoring/interchange/domain/web-page'],
    shapes: { ...HTML, ...TEXT },
    most: 5 * MB,
    run: refusing((html) => {
      const read = new ReadWebPage(html, 'https://a.b/');
      return [read.links(), read.images(), read.convert((target) => target)];
    }),
  },
  configurations: {
    modules: ['authoring/interchange/domain/gitbook-yaml', 'authoring/interchange/domain/repository-layout'],
    shapes: YAML,
    most: MB,
    run: refusing((text) => [readRepositoryConfig(text), mergedConfig(text, 'redirects: {a: b}')]),
  },
  'files of tags': {
    modules: ['authoring/interchange/domain/tags-file', 'authoring/interchange/domain/keep-tags'],
    shapes: YAML,
    most: MB,
    run: refusing((text) => [readTags(text), keepTags({ before: text, after: '- tag: a\n' })]),
  },
  'files of sites': {
    modules: [
      'authoring/interchange/domain/site-file/read-site-file',
      'authoring/interchange/domain/site-file/keep-site-file',
    ],
    shapes: YAML,
    most: MB,
    run: refusing((text) => {
      const before = `site:\n  title: Site\n  note:\n    ${text.replaceAll('\n', '\n    ')}\n`;
      return [readSiteFile(text), keepSiteFile({ before, wanted: { title: 'Other', structure: [] } })];
    }),
  },
  'computed entries': {
    modules: ['authoring/interchange/domain/computed-entry'],
    shapes: YAML,
    most: MB,
    run: (text) => () => readComputed(text),
  },
  'tables of contents': {
    modules: ['authoring/interchange/domain/summary'],
    shapes: MARKDOWN,
    most: MB,
    run: (text) => () => readSummary(text),
  },
  'rules of robots': {
    modules: ['authoring/interchange/domain/robots'],
    shapes: ROBOTS,
    most: MB,
    run: (text) => () => readRobots(text, 'Bindery')('/a/b/c'),
  },
  redirects: { modules: ['publishing/sites/domain/redirects'], shapes: YAML, most: MB, run: refusing(redirectsOfYaml) },

  specifications: {
    modules: [
      'formats/openapi/reading/read-specification',
      'formats/openapi/reading/parse',
      'formats/openapi/reading/validate',
    ],
    shapes: { ...SPECIFICATIONS, ...YAML },
    most: MB,
    run: (text) => () => readSpecification(text, { maxLength: 20 * MB, fetch: FETCHES_NOTHING }).catch(() => undefined),
  },
  'outlines of specifications': {
    modules: [
      'formats/openapi/reading/parse',
      'authoring/content/specification-tasks',
      'authoring/content/specification-parser',
      'authoring/content/domain/computed/outline',
    ],
    shapes: { ...SPECIFICATIONS, ...YAML },
    most: MB,
    run: refusing((text) => [outlineOf(parseText(text)), linesOfSpecification(text, ['/a/b', '/paths'])]),
  },

  'raw blocks': {
    modules: ['formats/html/raw-markup', 'formats/html/read-html'],
    shapes: { ...HTML, ...MARKDOWN },
    most: 100_000,
    run: (text) => () => rawMarkupContent(text),
  },
  'published pages': {
    modules: ['kernel/common/html', 'formats/html/render'],
    shapes: { ...MARKDOWN, ...HTML, ...TEXT },
    most: MB,
    run: ofDocument((document) => renderContent(document, EVERYTHING)),
  },
  formulas: {
    modules: ['formats/html/formulas'],
    shapes: FORMULAS,
    most: 10_000,
    run: (text) => () => formulas(text, true),
  },
  'lines of PDFs': {
    modules: ['formats/pdf/layout/line-breaking'],
    shapes: TEXT,
    most: 200_000,
    run: (text) => () => [...breakLines([{ text, style: STYLE }], { width: 400 })].length,
  },

  searches: {
    modules: [
      'authoring/search/domain/search-terms',
      'authoring/search/domain/text-folding',
      'authoring/search/domain/compound-words',
    ],
    shapes: QUERIES,
    most: 512,
    run: (text) => () => [
      readQuery(text),
      editDistance(text.slice(0, 100), text.slice(-100), 2),
      resemblingPatterns(text, 2),
    ],
  },
  excerpts: {
    modules: ['authoring/search/domain/excerpt', 'authoring/search/domain/text-folding'],
    shapes: TEXT,
    most: MB,
    run: (text) => () => [excerptOf(text, ['words', '漢字', 'a']), foldedWords(text)],
  },
  'words of operations': {
    modules: ['formats/openapi/domain/operation-text'],
    shapes: TEXT,
    most: MB,
    run: (text) => () =>
      operationText(
        { at: () => ({ post: { operationId: text, summary: text, description: text } }) },
        'paths',
        text,
        'post',
      ),
  },
  'passages of answers': {
    modules: ['authoring/answers/domain/passage'],
    shapes: { ...MARKDOWN, ...TEXT },
    most: MB,
    run: ofDocument((document) => sectionText(document, '', 'A title', CONCEPTS)),
  },
  'answers of language models': {
    modules: ['authoring/answers/domain/answer-prompt'],
    shapes: TEXT,
    most: MB,
    run: (text) => () => parseModelAnswer(`{"blocks": [${text}]}`),
  },
  'sentences of answers': {
    modules: ['authoring/answers/domain/answer-check'],
    shapes: TEXT,
    most: 12_000,
    run: (text) => {
      const block = { kind: 'paragraph' as const, text };
      const passage = { ...PASSAGE, text: { shown: [block], read: [block], nearness: 1 } };
      const answer = [{ kind: block.kind, sentences: [{ text, sources: [0] }] }];
      return () => supportedBlocks(answer, [passage], { inOtherLanguage: false });
    },
  },

  'answers of identity providers': {
    modules: ['identity/sso/domain/saml-xml'],
    shapes: XML,
    most: 256 * 1024,
    run: refusing((text) => parseXml(safeXml(Buffer.from(text)))),
  },

  'texts to translate': {
    modules: [
      'insight/translations/domain/translate-document',
      'insight/translations/domain/glossary',
      'insight/translations/engines/domain/segment-masker',
    ],
    shapes: { ...TEXT, ...MARKDOWN },
    most: MB,
    run: ofDocument((document) => {
      const [finder, shield] = [new TermFinder(GLOSSARY), new SegmentMasker('words', GLOSSARY, 'en')];
      return segmentsOf(document).map((segment) => [
        segment.map((piece) => (typeof piece === 'string' ? finder.in(piece) : [])),
        shield.hide(segment),
        halves(segment),
      ]);
    }),
  },
  'corrections of translations': {
    modules: ['insight/translations/domain/inline-tags', 'insight/translations/domain/fuzzy-match'],
    shapes: { ...TEXT, ...HTML },
    most: 50_000,
    run: (text) => () => {
      const segment = segmentOfTagged(text) ?? [text];
      const other = [`Begin. ${text}`];
      const placed = [{ segment, position: 0 }];
      return [
        taggedSegment(segment),
        fuzzyMatches(placed, [{ segment: other, position: 3 }]),
        segmentDiff(segment, other),
      ];
    },
  },
  'files of translations': {
    modules: [
      'insight/translations/files/xml-file',
      'insight/translations/files/xliff',
      'insight/translations/files/tmx',
      'insight/translations/files/po',
    ],
    shapes: { ...TEXT, ...XML },
    most: 5 * MB,
    run: (text) => () =>
      [readXliff, readTmx, readPo].map((read) =>
        refusing((content) => read(content, { source: 'en', target: 'es' }))(text)(),
      ),
  },
  'answers of translation engines': {
    modules: ['insight/translations/engines/domain/tagged-text', 'insight/translations/engines/domain/apertium-stream'],
    shapes: { ...TEXT, ...HTML },
    most: MB,
    run: (text) => () => [fromTagged(text), fromStream(text), toTagged([text], 'html'), toStream([text])],
  },
};

/** Modules that call a parser for something else than text from outside, or where others bound what it costs, and why. */
export const UNREAD: Readonly<Record<string, string>> = {
  'authoring/interchange/domain/site-file/write-site-file': 'writes the file of a site, and reads nothing',
  testing: 'compiles the description that a service under test publishes',
  'formats/markdown/node-text': 'walks the tree that was read, which is bounded',
  'authoring/interchange/domain/export': 'writes YAML',
  'formats/pdf/fonts/glyphs': 'reads fonts that are installed',
  'formats/pdf/fonts/slices': 'reads fonts that are installed',
  'formats/pdf/layout/pdf-file': 'writes files',
  'formats/html/highlighting-worker': 'colours code in a thread that is ended after its time',
  'publishing/published-sites/pages/code-themes': 'reads colours that are installed',
  'publishing/published-sites/pages/layout/elements': 'writes HTML',
  'identity/sso/login-pages': 'writes HTML',
  'authoring/templates/template-library': 'reads templates that are installed',
};
