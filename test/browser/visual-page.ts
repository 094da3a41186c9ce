import type { BrowserContextOptions, Page } from 'playwright-core';
import { lineText } from '../../src/formats/document/text.js';
import type { Block, Document } from '../../src/formats/document/types.js';
import { buildSpace, type Space } from '../published-site.js';
import { type BrowsedWorkspace, succeeded } from './workspace.js';

/** The time that an editor needs to notice where the cursor was put. */
const CURSOR_MS = 150;

/** A page that an administrator has open in the visual editor. */
export class VisualPage {
  private constructor(
    private readonly workspace: BrowsedWorkspace,
    readonly space: Space,
    readonly id: string,
    readonly page: Page,
    readonly address: string,
  ) {}

  /** Makes a page with a document, beside another one. */
  static async open(
    workspace: BrowsedWorkspace,
    document: { readonly markdown: string } | { readonly document: Document },
    options?: BrowserContextOptions,
  ): Promise<VisualPage> {
    const { organization } = workspace;
    const space = await buildSpace(organization, 'Handbook');
    const [id = ''] = await space.write(
      { operation: 'insert_page', title: 'Guide', document },
      { operation: 'insert_page', title: 'Install it', document: { markdown: 'Run it.' } },
    );
    const address = workspace.home(`/s/${space.id}/~/pages/${id}?edit=true`);
    const page = await workspace.signedIn(organization.admin, address, options);
    await page.getByRole('button', { name: 'Visual editor' }).click();
    await page.locator('.visual-text').waitFor();
    return new VisualPage(workspace, space, id, page, address);
  }

  get text() {
    return textOf(this.page);
  }

  putCursorIn(words: string): Promise<void> {
    return putCursorIn(this.page, words);
  }

  save(): Promise<void> {
    return save(this.page);
  }

  /** The document as it is stored. */
  async document(): Promise<Document> {
    const { admin } = this.workspace.organization;
    const path = `/spaces/${this.space.id}/content/page/${this.id}`;
    return succeeded(await admin.api.get<{ document: Document }>(path, { query: { format: 'document' } })).document;
  }

  /** The words of each block of the document. */
  async words(): Promise<string[]> {
    return (await this.document()).nodes.map(wordsOf);
  }
}

export const wordsOf = (block: Block | undefined): string => lineText(block?.nodes ?? []);

export const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of the page', exact: true });

/** Puts the cursor into a text, and gives the editor the moment that people give it. */
export async function putCursorIn(page: Page, words: string): Promise<void> {
  await textOf(page).getByText(words).click();
  await page.waitForTimeout(CURSOR_MS);
}

/** Pastes what a clipboard has, by its types, at the cursor of the editor. */
export function paste(page: Page, contents: Readonly<Record<string, string>>): Promise<undefined> {
  return page.evaluate<undefined>(`(() => {
    const clipboardData = new DataTransfer();
    for (const [type, content] of ${JSON.stringify(Object.entries(contents))}) clipboardData.setData(type, content);
    document.querySelector('.visual-text').dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
}

export async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.locator('.editor-bar').getByText('Saved', { exact: true }).waitFor();
}
