import { htmlOf } from '../../../../kernel/common/html.js';
import { element } from '../layout/elements.js';

/**
 * A page that leads to another address, for web servers that know files only. `absolute` is that address with its
 * origin. The refresh is written by hand: nothing that is generated from content may have one.
 */
export function redirectPage(to: string, absolute: string): string {
  const [link] = [element('a', { href: to }, to)];
  const refresh = htmlOf([element('meta', { name: 'to', content: `0; url=${to}` })]).replace(
    'name="to"',
    'http-equiv="refresh"',
  );
  const head = [
    element('link', { rel: 'canonical', href: absolute }),
    element('meta', { name: 'robots', content: 'noindex' }),
    element('title', to),
  ];
  return (
    `<!doctype html><meta charset="utf-8">` +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">` +
    `${refresh}${htmlOf(head)}<p>${htmlOf([link])}</p>\n`
  );
}
