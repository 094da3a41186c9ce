import { Command } from '@commander-js/extra-typings';
import { Output } from './output.js';

/** `bindery publish`. */
export const publishCommand = () => command('publish', 'Publish a site to its audience', true);

/** `bindery unpublish`. */
export const unpublishCommand = () => command('unpublish', 'Take a published site away from its audience', false);

const command = (name: string, description: string, published: boolean) =>
  new Command(name)
    .description(description)
    .argument('<site>', 'id of the site, as `site list` lists it')
    .option('--json', 'print JSON')
    .action(async (id, { json = false }) => {
      const { setPublished } = await import('./site-runs.js');
      const site = await setPublished(id, published);
      new Output(json).result(site, [
        published
          ? `The site ${site.title} is published at ${site.address}`
          : `The site ${site.title} is not published.`,
      ]);
    });
