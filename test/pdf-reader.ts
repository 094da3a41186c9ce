import { getDocumentProxy } from 'unpdf';

interface Link {
  readonly url?: string;
  /** The sheet that it leads to, counted from 1. */
  readonly sheet?: number;
}

export interface OutlineItem {
  readonly title: string;
  readonly sheet: number;
  readonly items: readonly OutlineItem[];
}

/** What somebody sees who opens a PDF. */
export interface ReadPdf {
  /** The words of each sheet, white space as single spaces. */
  readonly sheets: readonly string[];
  readonly links: readonly (readonly Link[])[];
  readonly outline: readonly OutlineItem[];
  readonly info: Readonly<Record<string, unknown>>;
}

type Destination = readonly [{ readonly num: number; readonly gen: number }, ...unknown[]] | null;

interface OutlineNode {
  readonly title: string;
  readonly dest: string | Destination;
  readonly items: readonly OutlineNode[];
}

interface Page {
  getTextContent(): Promise<{ readonly items: readonly { readonly str?: string; readonly hasEOL?: boolean }[] }>;
  getAnnotations(): Promise<readonly { readonly url?: string; readonly dest?: string | Destination }[]>;
}

/** The part of pdf.js that is used here; its own types are not part of the package. */
interface Pdf {
  readonly numPages: number;
  getPage(number: number): Promise<Page>;
  getPageIndex(page: { readonly num: number; readonly gen: number }): Promise<number>;
  getDestinations(): Promise<Readonly<Record<string, Destination>>>;
  getOutline(): Promise<readonly OutlineNode[] | null>;
  getMetadata(): Promise<{ readonly info: Readonly<Record<string, unknown>> }>;
  destroy(): Promise<void>;
}

/** Opens a PDF with another program than the one that has written it. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const opened: unknown = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const pdf = opened as Pdf;
  const destinations = await pdf.getDestinations();
  const sheetOf = async (destination: string | Destination): Promise<number | undefined> => {
    const found = typeof destination === 'string' ? destinations[destination] : destination;
    return found ? (await pdf.getPageIndex(found[0])) + 1 : undefined;
  };
  const sheets: string[] = [];
  const links: Link[][] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    sheets.push(
      items
        .map(({ str = '', hasEOL }) => `${str}${hasEOL ? ' ' : ''}`)
        .join('')
        .replace(/\s+/g, ' '),
    );
    links.push(
      await Promise.all(
        (await page.getAnnotations()).map(async ({ url, dest }): Promise<Link> => {
          const sheet = dest === undefined ? undefined : await sheetOf(dest);
          return { ...(url !== undefined && { url }), ...(sheet !== undefined && { sheet }) };
        }),
      ),
    );
  }
  const outlineOf = (items: readonly OutlineNode[]): Promise<OutlineItem[]> =>
    Promise.all(
      items.map(async ({ title, dest, items: below }) => ({
        title,
        sheet: (await sheetOf(dest)) ?? 0,
        items: await outlineOf(below),
      })),
    );
  const outline = await outlineOf((await pdf.getOutline()) ?? []);
  const { info } = await pdf.getMetadata();
  await pdf.destroy();
  return { sheets, links, outline, info };
}
