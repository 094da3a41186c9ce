import { Command } from '@commander-js/extra-typings';
import { Output } from './output.js';

/** `bindery export-site`. */
export function exportSiteCommand() {
  return new Command('export-site')
    .description('Export a published site as static files, which any web server serves; export --site writes Markdown')
    .argument('<site>', 'id of the site, which everybody may read')
    .argument('<folder>', 'new or empty folder, or one of an earlier export, whose files are brought up to date')
    .option('--url <address>', 'where the files will be served, such as https://docs.example.com; by default as now')
    .option('--no-pdf', 'leave out the PDFs of pages, which take most of the time')
    .option('--json', 'print JSON')
    .action(async (site, folder, { url, pdf, json = false }) => {
      const { runStaticExport } = await import('./transfer.js');
      const result = await runStaticExport({ site, folder, url, pdf }, json);
      const { pages, pdfs, files, redirects, written, unchanged, removed, leftOut, problems } = result;
      const isPartial = leftOut.spaces + leftOut.pages > 0;
      new Output(json).result({ ...result, folder }, [
        ...problems,
        ...(isPartial ? [`Left out ${leftOut.spaces} spaces and ${leftOut.pages} pages that not everybody sees.`] : []),
        `Exported ${pages} pages, ${pdfs} PDFs, ${files} files and ${redirects} redirects to ${folder} for ${result.url}.`,
        `Wrote ${written} files, left ${unchanged} as they were, and removed ${removed}.`,
      ]);
    });
}
