/**
 * The text of a page as it is written: its title, and its body, as Markdown without the heading that is the title, or as
 * a document.
 */
export type PageText<Body = string> = Readonly<{ title: string; body: Body }>;

const TITLE = /^# (.*)(?:\n+|$)/;
/** Signed addresses of files of the space: they are long, and expire. */
const SIGNED_FILE = /https?:\/\/[^\s()<>"']+\/~files\/([A-Za-z0-9]{1,40})\/[^\s()<>"']*?signature=[\w-]+/g;

/** The text of a page from what the interface gives; `title` is that of the page. */
export function textOf(markdown: string, title: string): PageText {
  return { title, body: shortenFiles(markdown.replace(TITLE, '')) };
}

/** The whole Markdown of a page, whose first heading is its title. */
export function markdownOf({ title, body }: PageText): string {
  return `# ${escapeTitle(title)}\n\n${body}`;
}

/** Files by their ids and not by addresses that expire. */
export function shortenFiles(markdown: string): string {
  return markdown.replace(SIGNED_FILE, '/files/$1');
}

/** A title as it is saved. */
export function oneLine(title: string): string {
  return title.replace(/\s+/g, ' ').trim();
}

/** A title in which no character has a meaning in Markdown. */
function escapeTitle(title: string): string {
  return oneLine(title).replace(/[\\`*_[\]<>&#~$:|!{}]/g, '\\$&');
}
