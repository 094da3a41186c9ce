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

type Destination = readonly unknown[] | null;

/** Opens a PDF with another program than the one that has written it. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const destinations = (await pdf.getDestinations()) as Record<string, Destination>;
  const sheetOf = async (destination: string | Destination): Promise<number | undefined> => {
    const found = typeof destination === 'string' ? destinations[destination] : destination;
    return found ? (await pdf.getPageIndex(found[0] as { num: number; gen: number })) + 1 : undefined;
  };
  const sheets: string[] = [];
  const links: Link[][] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    sheets.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : '')).join('').replace(/\s+/g, ' '));
    const annotations = (await page.getAnnotations()) as { url?: string; dest?: string | Destination }[];
    links.push(
      await Promise.all(
        annotations.map(async ({ url, dest }): Promise<Link> => {
          const sheet = dest === undefined ? undefined : await sheetOf(dest);
          return { ...(url !== undefined && { url }), ...(sheet !== undefined && { sheet }) };
        }),
      ),
    );
  }
  type Item = { title: string; dest: string | Destination; items: Item[] };
  const outlineOf = (items: readonly Item[]): Promise<OutlineItem[]> =>
    Promise.all(items.map(async ({ title, dest, items: below }) => ({ title, sheet: (await sheetOf(dest)) ?? 0, items: await outlineOf(below) })));
  const outline = await outlineOf(((await pdf.getOutline()) as Item[] | null) ?? []);
  const { info } = (await pdf.getMetadata()) as unknown as { info: Record<string, unknown> };
  await pdf.destroy();
  return { sheets, links, outline, info };
}
