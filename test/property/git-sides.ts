import { expect } from '@jest/globals';
import type { Client } from '../client.js';
import type { GitPair } from '../git-pair.js';
import {
  bodyOf,
  Contents,
  markOf,
  shownIn,
  titleOf,
  withWord,
  type Edit,
  type ModelPage,
  type Shown,
} from './git-model.js';

interface SpacePage {
  readonly id: string;
  readonly title: string;
  readonly pages?: readonly SpacePage[];
}

const picture = (name: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><!-- ${name} --></svg>\n`;
const headOf = (text: string): string => /^# (.*)$/m.exec(text)?.[1] ?? '';

/**
 * Carries out edits on the branch; an edit gives the title of the page that another one comes to lie below. Pages whose file is in no
 * table of contents are left alone.
 */
export class GitSide {
  constructor(
    private readonly pair: GitPair,
    private readonly pushed: Set<string>,
  ) {}

  async edit({ kind, slot, to }: Edit, page: ModelPage, word: string): Promise<string | undefined> {
    const files = await this.pair.files();
    const contents = new Contents(files['SUMMARY.md'] ?? '');
    const places = Object.keys(files).filter(
      (path) => path.endsWith('.md') && markOf(headOf(files[path] ?? '')) === page.mark,
    );
    const [path = ''] = places;
    const text = files[path] ?? '';
    let above: string | undefined;
    if (kind === 'add') {
      files[`${page.mark}.md`] = `# ${titleOf(page.mark, 'first')}\n\n${bodyOf('first')}\n`;
      above = contents.put(titleOf(page.mark, 'first'), `${page.mark}.md`, to);
    } else if (places.length !== 1) return undefined;
    else if (kind === 'title') {
      files[path] = text.replace(/^# .*$/m, `# ${titleOf(page.mark, word)}`);
      contents.rename(path, { title: titleOf(page.mark, word) });
      page.title.say('git', word);
    } else if (kind === 'image') {
      files[`.gitbook/assets/${word}.svg`] = picture(word);
      files[path] = `${text.trimEnd()}\n\n![${word}](.gitbook/assets/${word}.svg)\n`;
      page.images.add(word);
    } else if (kind === 'delete' || kind === 'move' || kind === 'rename') {
      if (!contents.isLeaf(path)) return undefined;
      if (kind === 'rename') {
        const renamed = `${word}-${page.mark}.md`;
        delete files[path];
        files[renamed] = text;
        contents.rename(path, { path: renamed });
        page.replace('git');
      } else {
        const line = contents.take(path);
        if (kind === 'move') {
          above = contents.put(line?.title ?? '', path, to);
          page.move('git');
        } else {
          delete files[path];
          page.delete('git');
        }
      }
    } else {
      files[path] = withWord(text, slot, word);
      page.slots[slot]?.say('git', word);
    }
    page.touch('git');
    files['SUMMARY.md'] = contents.toString();
    this.pushed.add(await this.pair.repository.commit('refs/heads/main', `${kind} ${word}\n`, files));
    return above;
  }

  /** The pages of the table of contents, as an outline. */
  async contents(): Promise<string> {
    return outline(new Contents((await this.pair.files())['SUMMARY.md'] ?? '').lines);
  }

  async shown(): Promise<Map<string, Shown[]>> {
    const files = await this.pair.files();
    const found = new Map<string, Shown[]>();
    for (const [path, text] of Object.entries(files)) {
      const mark = path.endsWith('.md') ? markOf(headOf(text)) : undefined;
      if (mark === undefined) continue;
      for (const name of shownIn('', text).images) expect(Object.values(files)).toContain(picture(name));
      found.set(mark, [...(found.get(mark) ?? []), shownIn(headOf(text), text)]);
    }
    return found;
  }
}

/** A table of contents in one text: a line for each page, indented by its depth. */
const outline = (lines: readonly { readonly depth: number; readonly title: string }[]): string =>
  lines.map(({ depth, title }) => `${'  '.repeat(depth)}${title}`).join('\n');

/** Carries out edits in the space, over HTTP; an edit gives the title of the page that another one comes to lie below. */
export class SpaceSide {
  constructor(
    private readonly pair: GitPair,
    private readonly api: Client,
  ) {}

  async edit({ kind, slot, to }: Edit, page: ModelPage, word: string): Promise<string | undefined> {
    const tree = await this.pages();
    if (kind === 'add') {
      const document = { markdown: bodyOf('first') };
      await this.write([{ operation: 'insert_page', title: titleOf(page.mark, 'first'), document }]);
      page.touch('space');
      return undefined;
    }
    const places = tree.filter(({ title }) => markOf(title) === page.mark);
    const [place] = places;
    if (place === undefined || places.length !== 1) return undefined;
    const { id, pages = [] } = place;
    if (kind === 'delete') {
      if (pages.length > 0) return undefined;
      await this.write([{ operation: 'delete_page', page: id }]);
      page.delete('space');
      return undefined;
    }
    if (kind === 'move') {
      const parent = tree[to % tree.length];
      if (pages.length > 0 || parent?.id === id) return undefined;
      await this.write([{ operation: 'update_page', page: id, into: parent?.id }]);
      page.move('space');
      return parent?.title;
    }
    if (kind === 'title' || kind === 'rename') {
      await this.write([{ operation: 'update_page', page: id, title: titleOf(page.mark, word) }]);
      page.title.say('space', word);
      page.touch('space');
      return undefined;
    }
    const markdown = await this.text(id);
    if (kind === 'image') {
      const files = [
        { name: `${word}.svg`, contentType: 'image/svg+xml', base64: Buffer.from(picture(word)).toString('base64') },
      ];
      const { insertedFiles } = await this.write<{ insertedFiles: { id: string }[] }>([
        { operation: 'insert_files', files },
      ]);
      const image = `![${word}](/files/${insertedFiles[0]?.id ?? ''})`;
      await this.write([
        { operation: 'update_page', page: id, document: { markdown: `${markdown.trimEnd()}\n\n${image}\n` } },
      ]);
      page.images.add(word);
      page.touch('space');
      return undefined;
    }
    const changes = [{ operation: 'update_page', page: id, document: { markdown: withWord(markdown, slot, word) } }];
    if (kind === 'request') await this.merge(changes);
    else await this.write(changes);
    page.slots[slot]?.say('space', word);
    page.touch('space');
    return undefined;
  }

  async shown(): Promise<Map<string, Shown[]>> {
    const found = new Map<string, Shown[]>();
    for (const { id, title } of await this.pages()) {
      const mark = markOf(title);
      if (mark !== undefined) found.set(mark, [...(found.get(mark) ?? []), shownIn(title, await this.text(id))]);
    }
    return found;
  }

  /** The pages of the space, as an outline. */
  async contents(): Promise<string> {
    return outline(await this.pages());
  }

  private async pages(): Promise<(SpacePage & { depth: number })[]> {
    const { body } = await this.api.get<{ pages: SpacePage[] }>(`/spaces/${this.pair.space}/content`);
    const flat = (pages: readonly SpacePage[], depth: number): (SpacePage & { depth: number })[] =>
      pages.flatMap((page) => [{ ...page, depth }, ...flat(page.pages ?? [], depth + 1)]);
    return flat(body.pages, 0);
  }

  private async text(id: string): Promise<string> {
    const path = `/spaces/${this.pair.space}/content/page/${id}?format=markdown`;
    return (await this.api.get<{ markdown: string }>(path)).body.markdown;
  }

  private async write<Body>(changes: object[], at = `/spaces/${this.pair.space}`): Promise<Body> {
    const { status, body } = await this.api.post<Body>(`${at}/content`, { changes });
    if (status !== 200) throw new Error(`a change of the space is refused: ${JSON.stringify(body)}`);
    return body;
  }

  private async merge(changes: object[]): Promise<void> {
    const requests = `/spaces/${this.pair.space}/change-requests`;
    const { id } = (await this.api.post<{ id: string }>(requests, { subject: 'A change' })).body;
    await this.write(changes, `${requests}/${id}`);
    expect((await this.api.post(`${requests}/${id}/merge`, {})).body).toMatchObject({ result: 'merge' });
  }
}
