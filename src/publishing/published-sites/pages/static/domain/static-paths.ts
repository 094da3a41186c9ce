/** Bytes of the longest name that file systems take. */
const LONGEST_NAME = 255;
/** Characters of a name of an uploaded file before its extension. */
const LONGEST_STEM = 80;
/** Names that the files of a site never get: those of repositories in the same folder, and of what the export notes. */
const FOREIGN = /^\.(?:git|bindery)(?:\/|$)/i;
/** Names that Windows gives to devices, and ends that it removes. */
const RESERVED = /(?:^|\/)(?:(?:con|prn|aux|nul|com\d|lpt\d)(?:\.[^/]*)?|[^/]*[. ])(?=\/|$)/i;
/** Types of files that no browser runs as a page of the site when it opens them: it shows, plays or stores them. */
const INERT = new Set(
  (
    'png jpg jpeg gif webp avif bmp ico heic mp4 m4v webm mov ogv mp3 m4a ogg oga opus wav flac woff woff2 ttf otf txt csv tsv md ' +
    'log pdf json yaml yml toml zip gz tgz tar bz2 xz 7z rar doc docx xls xlsx ppt pptx odt ods odp epub'
  ).split(' '),
);

/** Tells whether a path below a folder can be written: it stays inside, and names nothing of somebody else. */
export function isWritable(path: string): boolean {
  return (
    !FOREIGN.test(path) &&
    path
      .split('/')
      .every(
        (name) =>
          name !== '' &&
          name !== '.' &&
          name !== '..' &&
          !/[\\\p{Cc}\p{Surrogate}]/u.test(name) &&
          new TextEncoder().encode(name).length <= LONGEST_NAME,
      )
  );
}

/** Tells whether Windows has another meaning for a part of a path. */
export function isReservedOnWindows(path: string): boolean {
  return RESERVED.test(path);
}

/** A form that is equal for paths which some file systems take for the same. */
export function comparable(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** The file of the page at a path of a site: web servers find it in a folder without being told. */
export function pageFile(path: string): string {
  return path === '' ? 'index.html' : `${path}/index.html`;
}

/** The file of a redirect from a path of a site, which may be that of a file of former documentation. */
export function redirectFile(path: string): string {
  return /\.html?$/i.test(path) ? path : pageFile(path);
}

/**
 * The name under which an uploaded file is written. A web server takes its type from the extension, and the site's own
 * pages have the same origin: files that a browser might run as pages get one that it only stores. `isDrawing` tells of
 * a vector graphic that draws and does nothing else.
 */
export function fileName(name: string, isDrawing: boolean): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  const [, before = '', extension = ''] = /^(.*?)(?:\.([^.]*))?$/.exec(plain) ?? [];
  const stem = [...before].slice(0, LONGEST_STEM).join('') || 'file';
  const kind = extension.toLowerCase();
  if (kind === '') return stem.includes('.') ? `${stem}.bin` : stem;
  return INERT.has(kind) || (kind === 'svg' && isDrawing) ? `${stem}.${kind}` : `${stem}.${kind.slice(0, 20)}.bin`;
}

/** Marks in a vector graphic that do more than draw, in any name space. */
const ACTIVE =
  /<(?:[\w-]{1,40}:)?(?:script|foreignObject|iframe|embed|object|handler)\b|\bon\w+\s*=|javascript:|<!ENTITY|<\?xml-stylesheet|\0/i;

/** Tells whether an SVG only draws. One in another encoding than UTF-8 has NUL bytes. */
export function isDrawing(svg: string): boolean {
  return !ACTIVE.test(svg);
}
