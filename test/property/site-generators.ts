import fc from 'fast-check';
import type { SiteFile } from '../../src/authoring/interchange/domain/site-file/site-file.js';

const title = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((text) => text.trim() !== '');
const texts = fc.dictionary(fc.constantFrom('de', 'fr', 'ja'), title, { minKeys: 1 });
const flag = fc.constant<true>(true);
const described = {
  description: title,
  localizedDescription: texts,
  icon: fc.constantFrom('book', 'gear'),
  condition: fc.constant('visitor.claims.isPotter'),
  localizedTitle: texts,
};

const longer = title.filter((text) => text.length > 1);

/** Sites that keep all rules: keys and paths are numbered, and the first of each list is the default. */
export const sites: fc.Arbitrary<SiteFile> = fc
  .tuple(
    longer,
    fc.array(
      fc.record(
        {
          title: longer,
          spaces: fc.array(
            fc.record(
              {
                title,
                localizedTitle: texts,
                hidden: flag,
                draft: flag,
                condition: described.condition,
                language: fc.constantFrom('en', 'de'),
              },
              { requiredKeys: ['title'] },
            ),
            { minLength: 1, maxLength: 3 },
          ),
          ...described,
        },
        { requiredKeys: ['title', 'spaces'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    fc.array(fc.record({ title: longer, draft: flag, ...described }, { requiredKeys: ['title'] }), { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([name, sections, links, grouped]) => {
    const nodes = sections.map(({ spaces, ...section }, at) => ({
      type: 'section' as const,
      key: `section-${at}`,
      path: `s${at}`,
      ...section,
      ...(at === 0 && { default: true }),
      children: spaces.map(({ language, draft, ...space }, index) => ({
        type: 'space' as const,
        key: `space-${at}-${index}`,
        path: `p${index}`,
        ...space,
        ...(index === 0 ? { default: true } : { ...(draft && { draft }) }),
        content: { directory: index === 2 ? null : `./s${at}/p${index}`, ...(language && { language }) },
      })),
    }));
    const ends = links.map((link, at) => ({
      type: 'external-link' as const,
      key: `link-${at}`,
      url: `https://example.com/${at}`,
      ...link,
    }));
    const group = { type: 'section-group' as const, key: 'group', title: name, icon: 'book', draft: true };
    return {
      title: name,
      structure: grouped ? [...nodes, { ...group, ...(ends.length > 0 && { children: ends }) }] : [...ends, ...nodes],
    };
  });
