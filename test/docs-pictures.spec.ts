import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { imageSize } from 'image-size';
import { MOST_PICTURE_BYTES, PICTURE_SIZE, PICTURES } from './browser/pictures.js';

const DOCS = 'docs';
const ASSETS = join(DOCS, '.gitbook', 'assets');
const GUIDE = join(DOCS, 'guides', 'workspace.md');

/** The pictures that a page of the documentation names: their texts, and their files. */
function picturesOf(path: string): { readonly text: string; readonly file: string }[] {
  const text = readFileSync(path, 'utf8').replaceAll(/^ *```.*?^ *```|``.*?``|`[^`\n]*`/gms, '');
  return [...text.matchAll(/!\[([^\]]*)\]\((?!https?:)([^)\s]+)\)/g)].map(([, label = '', target = '']) => ({
    text: label,
    file: normalize(join(dirname(path), target)),
  }));
}

describe('the pictures of the documentation', () => {
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join(DOCS, path));
  const files = readdirSync(ASSETS).map((name) => join(ASSETS, name));
  const made = PICTURES.map((name) => join(ASSETS, `${name}.webp`));

  it('are there, and each is on a page', () => {
    const named = pages.flatMap(picturesOf);
    expect(named.length).toBeGreaterThan(PICTURES.length);
    expect(named.filter(({ file }) => !existsSync(file))).toEqual([]);
    const shown = new Set(named.map(({ file }) => file));
    expect(files.filter((file) => !shown.has(file))).toEqual([]);
    expect(named.filter(({ text }) => text.length < 10)).toEqual([]);
  });

  it('are those that `npm run docs:pictures` makes, and all of them, where they show the workspace', () => {
    const ofWorkspace = picturesOf(GUIDE).map(({ file }) => file);
    expect(ofWorkspace.toSorted()).toEqual(made.toSorted());
    expect(files.filter((file) => !file.endsWith('.svg')).toSorted()).toEqual(made.toSorted());
  });

  it('have one size, and are small together', () => {
    const bytes = made.map((file) => readFileSync(file));
    for (const picture of bytes) expect(imageSize(picture)).toMatchObject({ ...PICTURE_SIZE, type: 'webp' });
    expect(bytes.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(MOST_PICTURE_BYTES);
  });
});
