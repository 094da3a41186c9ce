import { serializeOuter } from 'parse5';
import { emojiCharacters } from '../emoji.js';
import { attributeOf, isElementNode, textIn } from '../pasted-marks.js';
import {
  anchorName,
  boldLine,
  childOf,
  decoded,
  findElement,
  findElements,
  hasClass,
  sourceLineOf,
  madeElement,
  madeText,
  withAnchorName,
  changedElement,
  wordsIn,
  type HtmlElement,
  type HtmlNode,
} from './html-nodes.js';

/** The styles of hints, by the last part of the class of a macro. */
const HINTS: readonly (readonly [string, string])[] = [
  ['confluence-information-macro-information', 'info'],
  ['confluence-information-macro-tip', 'success'],
  ['confluence-information-macro-note', 'warning'],
  ['confluence-information-macro-warning', 'danger'],
];

/** The colours of a status. */
const LOZENGES: readonly (readonly [string, string])[] = [
  ['aui-lozenge-success', 'green'],
  ['aui-lozenge-error', 'red'],
  ['aui-lozenge-removed', 'red'],
  ['aui-lozenge-current', 'yellow'],
  ['aui-lozenge-inprogress', 'blue'],
  ['aui-lozenge-progress', 'blue'],
  ['aui-lozenge-complete', 'blue'],
  ['aui-lozenge-moved', 'yellow'],
  ['aui-lozenge-new', 'purple'],
];

/** Emoticons, by the end of their class. */
const EMOTICONS: Readonly<Record<string, string>> = {
  smile: '🙂',
  sad: '🙁',
  cheeky: '😛',
  laugh: '😀',
  wink: '😉',
  'thumbs-up': '👍',
  'thumbs-down': '👎',
  information: 'ℹ️',
  tick: '✅',
  cross: '❌',
  warning: '⚠️',
  plus: '➕',
  minus: '➖',
  question: '❓',
  'light-on': '💡',
  'light-off': '💡',
  'yellow-star': '⭐',
  'red-star': '⭐',
  'green-star': '⭐',
  'blue-star': '⭐',
  heart: '❤️',
  'broken-heart': '💔',
};

/** Names of languages that Confluence gives otherwise. */
const BRUSHES: Readonly<Record<string, string>> = { jscript: 'js', 'c#': 'csharp', py: 'python', yml: 'yaml' };

/** The path of a file of an export; undefined for an address elsewhere. */
export function filePath(target: string): string | undefined {
  const path = decoded(target.replace(/[?#].*$/s, ''));
  return path.startsWith('attachments/') ? path : undefined;
}

/** Rewrites what the macros of Confluence have left in a page as plain elements. */
export class ConfluenceMacros {
  readonly problems: { line: number; message: string }[] = [];
  /** The paths of the files that the content shows or links to. */
  readonly files = new Set<string>();

  rewritten(nodes: readonly HtmlNode[]): HtmlNode[] {
    return nodes.flatMap((node) =>
      isElementNode(node) ? this.element(node) : node.nodeName === '#text' ? [node] : [],
    );
  }

  /** The block of an attached file. */
  file(link: HtmlElement): HtmlNode {
    const path = filePath(attributeOf(link, 'href') ?? '') ?? '';
    return madeElement('div', { 'data-file': encodeURI(path) }, [], link);
  }

  private element(node: HtmlElement): HtmlNode[] {
    const { tagName } = node;
    if (tagName === 'script' || tagName === 'style') return [];
    if (hasClass(node, 'toc-macro', 'plugin_pagetree', 'aui-icon', 'issue-placeholder')) return [];
    const made = this.block(node) ?? this.inline(node);
    if (made) return made;
    const id = attributeOf(node, 'id');
    const href = tagName === 'a' ? attributeOf(node, 'href') : undefined;
    if (href !== undefined) this.shows(href);
    return [
      madeElement(
        tagName,
        {
          ...Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
          id: /^h[1-6]$/.test(tagName) && id !== undefined ? anchorName(id) : undefined,
          href: href === undefined ? undefined : withAnchorName(href),
        },
        this.rewritten(node.childNodes),
        node,
      ),
    ];
  }

  private block(node: HtmlElement): HtmlNode[] | undefined {
    if (hasClass(node, 'confluence-information-macro')) return [this.hint(node)];
    if (hasClass(node, 'code', 'preformatted') && hasClass(node, 'panel')) return this.code(node);
    if (hasClass(node, 'panel') && node.tagName === 'div') return [this.panel(node)];
    if (hasClass(node, 'expand-container')) return [this.expand(node)];
    if (hasClass(node, 'columnLayout')) return this.columns(node);
    if (hasClass(node, 'inline-task-list')) return [this.tasks(node)];
    return undefined;
  }

  private inline(node: HtmlElement): HtmlNode[] | undefined {
    if (node.tagName === 'img') return this.image(node);
    if (hasClass(node, 'status-macro')) return [this.status(node)];
    if (hasClass(node, 'confluence-userlink', 'user-mention')) return this.rewritten(node.childNodes);
    if (hasClass(node, 'confluence-embedded-file')) return [this.embeddedFile(node)];
    if (hasClass(node, 'jira-issue') && node.tagName !== 'a') return this.issue(node);
    return undefined;
  }

  private hint(node: HtmlElement): HtmlNode {
    const [, style] = HINTS.find(([name]) => hasClass(node, name)) ?? ['', 'info'];
    const title = childOf(node, (child) => hasClass(child, 'title'));
    const body = childOf(node, (child) => hasClass(child, 'confluence-information-macro-body'));
    const content = body ? body.childNodes : node.childNodes.filter((child) => child !== title);
    return madeElement(
      'aside',
      { 'data-hint': style },
      [...boldLine(wordsIn(title)), ...this.rewritten(content)],
      node,
    );
  }

  private panel(node: HtmlElement): HtmlNode {
    const title = childOf(node, (child) => hasClass(child, 'panelHeader'));
    const body = childOf(node, (child) => hasClass(child, 'panelContent'));
    const content = body ? body.childNodes : node.childNodes.filter((child) => child !== title);
    return madeElement('aside', {}, [...boldLine(wordsIn(title)), ...this.rewritten(content)], node);
  }

  private code(node: HtmlElement): HtmlNode[] | undefined {
    const pre = findElement(node.childNodes, ({ tagName }) => tagName === 'pre');
    if (!pre) return undefined;
    const title = wordsIn(findElement(node.childNodes, (child) => hasClass(child, 'codeHeader', 'panelHeader')));
    const facts = attributeOf(pre, 'data-syntaxhighlighter-params') ?? '';
    const brush = /\bbrush:\s*([\w+#-]+)/.exec(facts)?.[1]?.toLowerCase();
    const language = brush === undefined ? undefined : (BRUSHES[brush] ?? brush);
    return [
      madeElement(
        'pre',
        {
          class: language === undefined ? undefined : `language-${language}`,
          'data-title': title === '' ? undefined : title,
          'data-numbers': /\bgutter:\s*true\b/.test(facts) ? '' : undefined,
        },
        [madeText(textIn(pre, true))],
        node,
      ),
    ];
  }

  private expand(node: HtmlElement): HtmlNode {
    const words = wordsIn(findElement(node.childNodes, (child) => hasClass(child, 'expand-control-text')));
    const content = findElement(node.childNodes, (child) => hasClass(child, 'expand-content'));
    const body = content ? this.rewritten(content.childNodes) : [];
    return madeElement('details', {}, [madeElement('summary', {}, [madeText(words)]), ...body], node);
  }

  /** Several columns of a layout; a single one is nothing but its content. */
  private columns(node: HtmlElement): HtmlNode[] | undefined {
    const cells = node.childNodes.filter(
      (child): child is HtmlElement => isElementNode(child) && hasClass(child, 'cell'),
    );
    if (cells.length < 2) return undefined;
    const columns = cells.map((cell) =>
      madeElement('div', { 'data-column': '' }, this.rewritten(cell.childNodes), cell),
    );
    return [madeElement('div', { 'data-columns': '' }, columns, node)];
  }

  private tasks(node: HtmlElement): HtmlNode {
    const items = node.childNodes.map((child) => {
      if (!isElementNode(child) || child.tagName !== 'li') return child;
      const box = madeElement(
        'input',
        { type: 'checkbox', checked: hasClass(child, 'checked') ? '' : undefined },
        [],
        child,
      );
      return madeElement('li', {}, [box, ...this.rewritten(child.childNodes)], child);
    });
    return madeElement(node.tagName, {}, items, node);
  }

  private status(node: HtmlElement): HtmlNode {
    const [, color] = LOZENGES.find(([name]) => hasClass(node, name)) ?? [];
    const words = [madeText(wordsIn(node))];
    return color === undefined
      ? madeElement('code', {}, words, node)
      : madeElement('mark', { class: `highlight-${color}_background` }, words, node);
  }

  private image(node: HtmlElement): HtmlNode[] {
    const source = attributeOf(node, 'src') ?? '';
    if (hasClass(node, 'emoticon')) return [madeText(emoticon(node))];
    const unknown =
      /placeholder\/(?:unknown-macro|macro|error)/.test(source) || hasClass(node, 'wysiwyg-unknown-macro');
    if (unknown) return this.verbatim(node);
    const path = filePath(attributeOf(node, 'data-image-src') ?? '') ?? filePath(source);
    if (path === undefined) return [node];
    this.files.add(path);
    return [changedElement(node, { src: encodeURI(path) })];
  }

  private verbatim(node: HtmlElement): HtmlNode[] {
    const source = serializeOuter(node);
    this.problems.push({
      line: sourceLineOf(node),
      message: `${source.slice(0, 100)} is not supported and is kept verbatim`,
    });
    return [madeElement('code', {}, [madeText(source)], node)];
  }

  private embeddedFile(node: HtmlElement): HtmlNode {
    const href = attributeOf(node, 'href') ?? '';
    this.shows(href);
    const name = attributeOf(node, 'data-linked-resource-default-alias') ?? wordsIn(node);
    return madeElement('a', { href }, [madeText(name === '' ? href : name)], node);
  }

  /** An issue of Jira is its link: the export does not know the rest. */
  private issue(node: HtmlElement): HtmlNode[] | undefined {
    const links = findElements(node.childNodes, ({ tagName }) => tagName === 'a');
    const isUnknown = findElement(node.childNodes, (child) => hasClass(child, 'issue-placeholder')) !== undefined;
    return isUnknown && links.length > 0 ? links.flatMap((link) => this.element(link)) : undefined;
  }

  private shows(target: string): void {
    const path = filePath(target);
    if (path !== undefined) this.files.add(path);
  }
}

function emoticon(node: HtmlElement): string {
  const given = attributeOf(node, 'data-emoji-fallback');
  if (given !== undefined && /\p{Extended_Pictographic}/u.test(given)) return given;
  const names = (attributeOf(node, 'class') ?? '').split(/\s+/).map((name) => name.replace(/^emoticon-/, ''));
  const known = names.find((name) => Object.hasOwn(EMOTICONS, name));
  return (
    emojiCharacters(attributeOf(node, 'data-emoji-id') ?? '') ??
    (known === undefined ? undefined : EMOTICONS[known]) ??
    attributeOf(node, 'alt') ??
    ''
  );
}
