/*
 * Searches a site that is static files, by an index in parts: of these only the ones for the words of a query are
 * loaded, and the text of a page only where it is shown. `site.js` loads this file, with MiniSearch before it.
 */
window.searchSite = (() => {
  const MOST_HITS = 20;
  const MOST_PAGES = 10;
  const SECTIONS_OF_PAGE = 3;
  const EXCERPT = 160;
  const CUT_WEIGHT = 0.3;
  const answers = new Map();
  let index;
  let engine;
  let loaded = new Set();

  const read = (address) => {
    const known = answers.get(address);
    if (known) return known;
    const answer = fetch(address).then((response) => {
      if (!response.ok) throw new Error(`${address} answers ${response.status}`);
      return response.json();
    });
    answers.set(address, answer);
    answer.catch(() => answers.delete(address));
    return answer;
  };

  /** Words as the index has them: without accents, in lower case. */
  const plain = (text) =>
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase();
  const wordsOf = (text) => plain(text).match(new RegExp(index.words, 'gu')) ?? [];

  /** The name of the part with a word: that of the longest beginning which has one. */
  const partOf = (word) => {
    for (let length = Math.min(word.length, index.longest); length > 0; length--) {
      const name = index.parts[word.slice(0, length)];
      if (name) return name;
    }
    return undefined;
  };

  /** Readers may have the index of a site that was written anew since. */
  const refreshed = async (folder) => {
    index = await fetch(`${folder}index.json`, { cache: 'no-cache' }).then((response) => response.json());
    engine = undefined;
    loaded = new Set();
  };

  const load = async (folder, words) => {
    const names = new Set([...loaded, ...words.map(partOf).filter(Boolean)]);
    if (engine && names.size === loaded.size) return;
    const parts = await Promise.all([...names].map((name) => read(`${folder}words/${name}.json`)));
    engine = window.MiniSearch.loadJS(
      { ...index.head, index: parts.flat() },
      { ...index.options, tokenize: wordsOf, processTerm: (word) => word },
    );
    loaded = names;
  };

  /** A word in any of its forms: other endings count less, and so do words with a letter that differs. */
  const formsOf = (word) => {
    const cut = word.length > 7 ? 3 : word.length > 4 ? 1 : 0;
    return {
      combineWith: 'OR',
      queries: [
        { queries: [word], prefix: word.length > 2, fuzzy: word.length > 4 ? 1 : false },
        ...(cut > 0 ? [{ queries: [word.slice(0, -cut)], prefix: true, boostTerm: () => CUT_WEIGHT }] : []),
      ],
    };
  };

  const find = (words) => {
    for (const combineWith of ['AND', 'OR']) {
      const found = engine.search({ combineWith, queries: words.map(formsOf) });
      if (found.length > 0) return found;
    }
    return [];
  };

  /** The part of a text around the first of the words. */
  const excerpt = (text, words) => {
    const low = text.toLowerCase();
    const places = words.map((word) => low.indexOf(word)).filter((place) => place >= 0);
    const from = Math.max(0, Math.min(...places, text.length) - EXCERPT / 4);
    if (places.length === 0 || from === 0) return text.slice(0, EXCERPT) + (text.length > EXCERPT ? '…' : '');
    const start = text.indexOf(' ', from) + 1;
    return `…${text.slice(start, start + EXCERPT)}${start + EXCERPT < text.length ? '…' : ''}`;
  };

  const hitsOf = ({ href, title, place, sections }, words) => {
    const [opening, ...rest] = sections;
    const has = ([, heading, text]) => words.some((word) => plain(`${heading} ${text}`).includes(word));
    const hit = { href, title, place, isSection: false };
    return [
      { ...hit, ...(opening[2] !== '' && { text: excerpt(opening[2], words) }) },
      ...rest
        .filter(has)
        .slice(0, SECTIONS_OF_PAGE)
        .map(([id, heading, text]) => ({
          href: `${href}#${encodeURIComponent(id)}`,
          title: heading,
          ...(text !== '' && { text: excerpt(text, words) }),
          isSection: true,
        })),
    ];
  };

  const ask = async (folder, query, from) => {
    index ??= await read(`${folder}index.json`);
    const words = [...new Set(wordsOf(query))];
    if (words.length === 0) return { hits: [], words: [] };
    await load(folder, words);
    const space = `${index.spaces.indexOf(from)}.`;
    const isNear = ({ id }) => id.startsWith(space);
    const found = find(words);
    const best = [...found.filter(isNear), ...found.filter((each) => !isNear(each))].slice(0, MOST_PAGES);
    const pages = await Promise.all(best.map(({ id }) => read(`${folder}pages/${id}.json`)));
    const hits = pages.flatMap((page, at) => hitsOf(page, [...words, ...best[at].terms]));
    return { hits: hits.slice(0, MOST_HITS), words: [...new Set([...words, ...best.flatMap(({ terms }) => terms)])] };
  };

  /** What a query finds in the index below an address, with the pages of the site space `from` first. */
  return (folder, query, from) =>
    ask(folder, query, from).catch(async () => {
      await refreshed(folder);
      return ask(folder, query, from);
    });
})();
