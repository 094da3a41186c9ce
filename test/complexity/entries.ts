import { parseExpression } from '../../src/common/expressions/parse.js';
import { evaluateText } from '../../src/common/expressions/evaluate.js';
import { Work } from '../../src/common/expressions/work.js';
import { webAddress } from '../../src/common/web-address.js';
import { parseCookies } from '../../src/common/cookies.js';
import { mergeBlocks } from '../../src/content/domain/block-merge.js';
import { outlineOf } from '../../src/content/domain/computed/outline.js';
import { anchorOf } from '../../src/content/domain/document/anchors.js';
import { paragraph, plain } from '../../src/content/domain/document/build.js';
import { deriveDocument } from '../../src/content/domain/document/derive.js';
import { evaluateDocument } from '../../src/content/domain/document/evaluate.js';
import { hashDocument } from '../../src/content/domain/document/hash.js';
import { assignKeys } from '../../src/content/domain/document/keys.js';
import type { Document } from '../../src/content/domain/document/types.js';
import { validateDocument } from '../../src/content/domain/document/validate.js';
import { revertBlocks } from '../../src/content/domain/revert-blocks.js';
import { readLinkTarget } from '../../src/content/domain/link-target.js';
import { slugOf } from '../../src/content/domain/slug.js';
import { BOUNDS_OF_COMMENTS } from '../../src/content/markdown/bounds.js';
import { checkPage } from '../../src/content/markdown/check.js';
import { readFrontmatter, writeFrontmatter } from '../../src/content/markdown/frontmatter.js';
import { tokenizeHtml } from '../../src/content/markdown/html.js';
import { readHtmlFragment, readHtmlPage } from '../../src/content/markdown/html-tree.js';
import { interpretMarkdown, parseMarkdown, readMarkdown } from '../../src/content/markdown/parse.js';
import { unpaste } from '../../src/content/markdown/pasted.js';
import { placeholdersIn, renderPlaceholders } from '../../src/content/markdown/references.js';
import { serializeMarkdown } from '../../src/content/markdown/serialize.js';
import { splitTags } from '../../src/content/markdown/tags.js';
import { readYaml, YamlLines } from '../../src/content/markdown/yaml.js';
import { cleanBody, cleanSubject } from '../../src/conversations/domain/clean.js';
import { languageOf } from '../../src/conversations/domain/language.js';
import { plainText } from '../../src/conversations/domain/plain-text.js';
import { redacted } from '../../src/conversations/domain/redaction/redact.js';
import { sentencesOf } from '../../src/conversations/domain/sentences.js';
import { termsOf } from '../../src/conversations/domain/terms.js';
import { readComputed } from '../../src/importing/domain/computed-entry.js';
import { readConfig } from '../../src/importing/domain/gitbook-yaml.js';
import { mergedConfig } from '../../src/importing/domain/repository-layout.js';
import { readRobots } from '../../src/importing/domain/robots.js';
import { readSummary } from '../../src/importing/domain/summary.js';
import { ReadWebPage } from '../../src/importing/domain/web-page.js';
import { linesOf as linesOfSpecification, parseText } from '../../src/openapi/reading/parse.js';
import { readSpecification } from '../../src/openapi/reading/read.js';
import { linesOf, type TextStyle } from '../../src/pdf/layout/lines.js';
import { sizeFaultOf } from '../../src/platform/http/json-checks.js';
import { dimensionsOf, sniffType } from '../../src/platform/storage/sniff.js';
import { repeatedName } from '../../src/common/json-names.js';
import { readRison } from '../../src/publishing/domain/rison.js';
import { loadFormulas } from '../../src/publishing/html/formulas.js';
import { rawContent } from '../../src/publishing/html/raw.js';
import { renderContent } from '../../src/publishing/html/render.js';
import { editDistance } from '../../src/search/domain/edit-distance.js';
import { excerptOf } from '../../src/search/domain/excerpt.js';
import { plainWords } from '../../src/search/domain/letters.js';
import { searchTerms } from '../../src/search/domain/search-terms.js';
import { comparablePath, redirectsOfYaml, sourceOf } from '../../src/sites/domain/redirects.js';
import { readUserAgent } from '../../src/sites/domain/user-agent.js';
import { parseXml, safeXml } from '../../src/sso/domain/saml-xml.js';
import { TermFinder } from '../../src/translations/domain/glossary.js';
import { segmentsOf } from '../../src/translations/domain/translate-document.js';
import { Shield } from '../../src/translations/engines/domain/shield.js';
import { fromTagged, toTagged } from '../../src/translations/engines/domain/tagged-text.js';
import { halves } from '../../src/translations/engines/domain/sentences.js';
import { fromStream, toStream } from '../../src/translations/engines/domain/apertium-stream.js';
import { EVERYTHING } from '../rendered-html.js';
import type { Run } from './measure.js';
import { EXPRESSIONS, FORMULAS, HTML, LINES, MARKDOWN, PASTED, QUERIES, ROBOTS, SPECIFICATIONS, TEXT, XML, YAML, type Shapes } from './shapes.js';

/** A way in for text from outside. */
export interface Entry {
  /** The modules of `src` through which the text goes, up to and with those that call a parser. */
  readonly modules: readonly string[];
  readonly shapes: Shapes;
  /** Characters that a text may have there. */
  readonly most: number;
  readonly run: Run;
}

const MB = 1024 * 1024;

/** What refuses a text with an error has read it; which error that is, is the matter of other tests. */
const refusing = (work: (text: string) => unknown): Run => (text) => () => {
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
const ofDocument = (work: (document: Document) => unknown): Run => (text) => {
  const document = documentOf(text);
  return () => work(document);
};

let keys = 0;
const keyed = (document: Document): Document => assignKeys(document, undefined, () => `k${keys++}`);
/** Another document of the same blocks: every third is gone, and the others are the other way round. */
const changed = (document: Document): Document => ({ ...document, nodes: document.nodes.filter((_, index) => index % 3 !== 1).toReversed() });
/** Another document of the same blocks in the same places, most of them changed: as many behind each other as are compared one by one. */
const edited = (document: Document): Document => ({ ...document, nodes: document.nodes.map((block, index) => (index % 101 === 0 ? block : { ...block, meta: { edited: true } })) });
/** Each line as a paragraph, whatever a document may hold of them. */
const ofLines = (text: string): Document => ({ object: 'document', data: {}, nodes: text.split('\n').filter((line) => line !== '').map((line) => paragraph(plain(line))) });
const blocksOf = (document: Document) => document.nodes.map((block) => ({ ...block, key: block.key ?? '' }));

const STYLE: TextStyle = { face: 'sans', size: 10, color: '#000' };
const GLOSSARY = ['page', 'space', 'a', 'word', 'some words', '漢字'].map((source) => ({ source, target: 'x' }));
const FETCHES_NOTHING = async () => ({ problem: 'it is not fetched' });
const formulas = await loadFormulas();

const OF_CONTENT = ['content/markdown/parse', 'content/markdown/mdast', 'content/markdown/setext-headings', 'content/markdown/html-syntax', 'content/markdown/bounds', 'content/markdown/tag-syntax', 'content/markdown/emoji', 'content/markdown/parse-blocks', 'content/markdown/nest', 'content/markdown/parse-table'];

/** Every way in, by name. */
export const ENTRIES: Readonly<Record<string, Entry>> = {
  'pages of Markdown': { modules: OF_CONTENT, shapes: { ...MARKDOWN, ...HTML, ...TEXT }, most: MB, run: (text) => () => interpretMarkdown(readMarkdown(text)) },
  'comments': { modules: OF_CONTENT, shapes: { ...MARKDOWN, ...PASTED, ...TEXT }, most: 20_000, run: (text) => () => interpretMarkdown(readMarkdown(text, false, BOUNDS_OF_COMMENTS)) },
  'documents written as Markdown': { modules: ['content/markdown/serialize', 'content/markdown/serialize-blocks', 'content/markdown/serialize-inlines'], shapes: { ...MARKDOWN, ...HTML, ...TEXT }, most: MB, run: ofDocument((document) => serializeMarkdown(document)) },
  'pasted HTML': { modules: ['content/markdown/pasted', 'content/markdown/pasted-blocks', 'content/markdown/pasted-marks', 'content/markdown/html-tree'], shapes: PASTED, most: MB, run: (text) => () => unpaste(text) },
  'fragments of HTML': { modules: ['content/markdown/html-tree'], shapes: HTML, most: MB, run: (text) => () => readHtmlFragment(text, 100) },
  'pages of HTML': { modules: ['content/markdown/html-tree'], shapes: HTML, most: 5 * MB, run: (text) => () => readHtmlPage(text, 200) },
  'tokens of HTML': { modules: ['content/markdown/html'], shapes: { ...HTML, ...MARKDOWN }, most: MB, run: (text) => () => tokenizeHtml(text) },
  'tags': { modules: ['content/markdown/tags'], shapes: MARKDOWN, most: MB, run: (text) => () => splitTags(text) },
  'references in Markdown': { modules: ['content/markdown/references'], shapes: TEXT, most: MB, run: (text) => () => renderPlaceholders(text, () => String(placeholdersIn(text).length)) },
  'front matter': { modules: ['content/markdown/frontmatter', 'content/markdown/yaml'], shapes: YAML, most: MB, run: (text) => () => writeFrontmatter(readFrontmatter(`---\n${text}\n---\n`).frontmatter) },
  'YAML': { modules: ['content/markdown/yaml'], shapes: YAML, most: MB, run: refusing((text) => [readYaml(text), new YamlLines(text).of('a')]) },
  'pages compared with their source': { modules: ['content/markdown/check', 'content/markdown/check-source'], shapes: { ...MARKDOWN, ...HTML }, most: 200_000, run: (text) => () => checkPage(text, parseMarkdown(text).document) },

  'documents with keys': { modules: ['content/domain/document/keys'], shapes: { ...LINES, ...MARKDOWN }, most: MB, run: (text) => {
    const document = documentOf(text);
    const previous = keyed(changed(document));
    return () => assignKeys(document, previous, () => `n${keys++}`);
  } },
  'documents written anew': { modules: ['content/domain/document/keys', 'content/domain/sequence-difference'], shapes: LINES, most: 128_000, run: (text) => {
    const document = ofLines(text);
    const versions = [document, changed(document), edited(document)].map(keyed);
    return () => versions.map((previous) => assignKeys(document, previous, () => `n${keys++}`));
  } },
  'documents merged': { modules: ['content/domain/block-merge', 'content/domain/revert-blocks'], shapes: LINES, most: 128_000, run: (text) => {
    const base = keyed(ofLines(text));
    const [blocks, other] = [blocksOf(base), blocksOf(changed(base))];
    const all = new Set(blocks.map(({ key }) => key));
    return () => [mergeBlocks(blocks, other, blocks.toReversed(), (a, b) => a.key === b.key), revertBlocks(blocks, other, all), revertBlocks(other, blocks, all)];
  } },
  'documents derived': { modules: ['content/domain/document/derive'], shapes: { ...MARKDOWN, ...TEXT, ...HTML }, most: MB, run: ofDocument((document) => [deriveDocument(document), hashDocument(document), validateDocument(document)]) },
  'documents evaluated': { modules: ['content/domain/document/evaluate'], shapes: MARKDOWN, most: MB, run: ofDocument((document) => evaluateDocument(document, { spaceVariables: {}, pageVariables: {}, deterministicOnly: false })) },
  'slugs, anchors and targets': { modules: ['content/domain/slug', 'content/domain/document/anchors', 'content/domain/link-target', 'sites/domain/redirects'], shapes: TEXT, most: 100_000, run: (text) => () => [slugOf(text), anchorOf(text), readLinkTarget(text, 'a/b'), comparablePath(text), sourceOf(text), webAddress(text, 'https://a.b/')] },
  'expressions': { modules: ['common/expressions/parse', 'common/expressions/evaluate'], shapes: EXPRESSIONS, most: 1_024, run: refusing((text) => evaluateText(parseExpression(text), { a: 'b' }, new Work())) },
  'cookies and agents': { modules: ['common/cookies', 'sites/domain/user-agent'], shapes: TEXT, most: 16_000, run: (text) => () => [parseCookies(text), readUserAgent(text)] },
  'sizes of JSON': { modules: ['platform/http/json-checks', 'common/json-names'], shapes: SPECIFICATIONS, most: MB, run: (text) => {
    const bytes = Buffer.from(text);
    return refusing(() => [sizeFaultOf(bytes), repeatedName(text)])(text);
  } },
  'settings in addresses': { modules: ['publishing/domain/rison'], shapes: { ...EXPRESSIONS, ...TEXT }, most: 16_000, run: refusing(readRison) },
  'kinds of files': { modules: ['platform/storage/sniff'], shapes: XML, most: 100_000, run: (text) => async () => [await sniffType(Buffer.from(text), ''), dimensionsOf(Buffer.from(text), 'image/svg+xml')] },

  'bodies of conversations': { modules: ['conversations/domain/clean'], shapes: { ...HTML, ...MARKDOWN, ...TEXT }, most: 100_000, run: (text) => () => [cleanBody(text), cleanSubject(text.slice(0, 512))] },
  'what conversations say': { modules: ['conversations/domain/plain-text'], shapes: { ...MARKDOWN, ...TEXT }, most: 100_000, run: (text) => () => plainText(text) },
  'people in conversations': { modules: ['conversations/domain/redaction/redact', 'conversations/domain/redaction/phones'], shapes: TEXT, most: 100_000, run: (text) => () => redacted({ id: 'a', parts: [{ type: 'message', role: 'user', body: text }], metadata: {} }) },
  'words of conversations': { modules: ['conversations/domain/sentences', 'conversations/domain/terms', 'conversations/domain/language'], shapes: TEXT, most: 100_000, run: (text) => () => [sentencesOf(text), termsOf(text), languageOf(text)] },

  'web pages': { modules: ['importing/domain/web-page'], shapes: { ...HTML, ...TEXT }, most: 5 * MB, run: refusing((html) => {
    const read = new ReadWebPage(html, 'https://a.b/');
    return [read.links(), read.images(), read.convert((target) => target)];
  }) },
  'configurations': { modules: ['importing/domain/gitbook-yaml', 'importing/domain/repository-layout'], shapes: YAML, most: MB, run: refusing((text) => [readConfig(text), mergedConfig(text, 'redirects: {a: b}')]) },
  'computed entries': { modules: ['importing/domain/computed-entry'], shapes: YAML, most: MB, run: (text) => () => readComputed(text) },
  'tables of contents': { modules: ['importing/domain/summary'], shapes: MARKDOWN, most: MB, run: (text) => () => readSummary(text) },
  'rules of robots': { modules: ['importing/domain/robots'], shapes: ROBOTS, most: MB, run: (text) => () => readRobots(text, 'Bindery')('/a/b/c') },
  'redirects': { modules: ['sites/domain/redirects'], shapes: YAML, most: MB, run: refusing(redirectsOfYaml) },

  'specifications': { modules: ['openapi/reading/read', 'openapi/reading/parse', 'openapi/reading/validate'], shapes: { ...SPECIFICATIONS, ...YAML }, most: MB, run: (text) => () => readSpecification(text, { maxLength: 20 * MB, fetch: FETCHES_NOTHING }).catch(() => undefined) },
  'outlines of specifications': { modules: ['openapi/reading/parse', 'content/specification-tasks', 'content/specification-parser', 'content/domain/computed/outline'], shapes: { ...SPECIFICATIONS, ...YAML }, most: MB, run: refusing((text) => [outlineOf(parseText(text)), linesOfSpecification(text, ['/a/b', '/paths'])]) },

  'raw blocks': { modules: ['publishing/html/raw', 'publishing/html/read-html'], shapes: { ...HTML, ...MARKDOWN }, most: 100_000, run: (text) => () => rawContent(text) },
  'published pages': { modules: ['common/html', 'publishing/html/render'], shapes: { ...MARKDOWN, ...HTML, ...TEXT }, most: MB, run: ofDocument((document) => renderContent(document, EVERYTHING)) },
  'formulas': { modules: ['publishing/html/formulas'], shapes: FORMULAS, most: 10_000, run: (text) => () => formulas(text, true) },
  'lines of PDFs': { modules: ['pdf/layout/lines'], shapes: TEXT, most: 200_000, run: (text) => () => [...linesOf([{ text, style: STYLE }], { width: 400 })].length },

  'searches': { modules: ['search/domain/search-terms', 'search/domain/letters'], shapes: QUERIES, most: 512, run: (text) => () => [searchTerms(text), editDistance(text.slice(0, 100), text.slice(-100), 2)] },
  'excerpts': { modules: ['search/domain/excerpt', 'search/domain/letters'], shapes: TEXT, most: MB, run: (text) => () => [excerptOf(text, ['words', '漢字', 'a']), plainWords(text)] },

  'answers of identity providers': { modules: ['sso/domain/saml-xml'], shapes: XML, most: 256 * 1024, run: refusing((text) => parseXml(safeXml(Buffer.from(text)))) },

  'texts to translate': { modules: ['translations/domain/translate-document', 'translations/domain/glossary', 'translations/engines/domain/shield'], shapes: { ...TEXT, ...MARKDOWN }, most: MB, run: ofDocument((document) => {
    const [finder, shield] = [new TermFinder(GLOSSARY), new Shield('words', GLOSSARY)];
    return segmentsOf(document).map((segment) => [segment.map((piece) => (typeof piece === 'string' ? finder.in(piece) : [])), shield.hide(segment), halves(segment)]);
  }) },
  'answers of translation engines': { modules: ['translations/engines/domain/tagged-text', 'translations/engines/domain/apertium-stream'], shapes: { ...TEXT, ...HTML }, most: MB, run: (text) => () => [fromTagged(text), fromStream(text), toTagged([text], 'html'), toStream([text])] },
};

/** Modules that call a parser for something else than text from outside, or where others bound what it costs, and why. */
export const UNREAD: Readonly<Record<string, string>> = {
  'content/markdown/mixed-text': 'walks the tree that was read, which is bounded',
  'importing/domain/export': 'writes YAML',
  'pdf/fonts/glyphs': 'reads fonts that are installed',
  'pdf/fonts/slices': 'reads fonts that are installed',
  'pdf/layout/pdf-file': 'writes files',
  'publishing/html/highlighting-worker': 'colours code in a thread that is ended after its time',
  'publishing/pages/code-themes': 'reads colours that are installed',
  'publishing/pages/layout/elements': 'writes HTML',
  'sso/pages': 'writes HTML',
  'templates/template-library': 'reads templates that are installed',
};
