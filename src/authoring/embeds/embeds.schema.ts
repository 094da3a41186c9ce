import { OneOf, Text, Url } from '../../kernel/common/fields.js';

const EMBED_TYPES = ['link', 'rich'] as const;

export class EmbedQuery {
  @Url({ description: 'The address that is embedded', example: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' })
  url: string;
}

/** The title, icon and player of an embedded address. */
export class EmbedBody {
  @OneOf(EMBED_TYPES, { description: '`rich` has `html`, `link` has not' })
  type: (typeof EMBED_TYPES)[number];
  @Text({ example: 'How to install the turbine' })
  title: string;
  @Text({ description: 'The name of the site or service', example: 'YouTube' })
  site: string;
  @Url({ optional: true, description: 'The icon of the site', example: 'https://www.youtube.com/favicon.ico' })
  icon?: string;
  @Text({
    optional: true,
    description:
      'A frame with the player of the service, or a quotation; nothing in it executes scripts in the page itself',
    example:
      '<iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" title="How to install the turbine"></iframe>',
  })
  html?: string;
}
