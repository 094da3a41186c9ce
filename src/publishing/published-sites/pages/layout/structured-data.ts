import type { Element } from 'hast';
import { rendered } from '../../../../kernel/common/html.js';
import { element } from './elements.js';
import type { ArticleFacts, Head, PageShell } from './view.js';

/** The page as data in the vocabulary of schema.org, for search engines: an article and the way to it. */
export function structuredData(
  head: Head,
  facts: ArticleFacts,
  { siteTitle, language, origin, home }: PageShell,
): Element {
  const image = head.image ?? head.card;
  const site = { '@type': 'WebSite', name: siteTitle, url: new URL(home, origin).href };
  const trail = [
    ...facts.breadcrumbs,
    { title: head.title, ...(head.canonical !== undefined && { href: head.canonical }) },
  ];
  const graph = [
    {
      '@type': 'TechArticle',
      headline: head.title,
      ...(head.description !== undefined && { description: head.description }),
      ...(head.canonical !== undefined && { url: head.canonical, mainEntityOfPage: head.canonical }),
      ...(image !== undefined && { image }),
      inLanguage: language,
      datePublished: facts.published.toISOString(),
      dateModified: facts.modified.toISOString(),
      isPartOf: site,
    },
    {
      '@type': 'BreadcrumbList',
      itemListElement: trail.map(({ title, href }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: title,
        ...(href !== undefined && { item: new URL(href, origin).href }),
      })),
    },
    ...(facts.questions.length === 0
      ? []
      : [
          {
            '@type': 'FAQPage',
            ...(head.canonical !== undefined && { url: head.canonical }),
            mainEntity: facts.questions.map(({ question, answer }) => ({
              '@type': 'Question',
              name: question,
              acceptedAnswer: { '@type': 'Answer', text: answer },
            })),
          },
        ]),
  ];
  // A text of the page must not end the element.
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replace(/</g, '\\u003c');
  return element('script', { type: 'application/ld+json' }, [rendered(json)]);
}
