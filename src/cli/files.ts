import { Command } from '@commander-js/extra-typings';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { Output } from './output.js';
import { withProgress } from './progress.js';

const load = async () => ({
  ...(await import('./services.js')),
  ...(await import('../kernel/platform/storage/file-moves.js')),
});

/** `bindery files move`. */
export function filesCommand(): Command {
  return new Command('files').description('Manage the storage of files').addCommand(moveCommand());
}

function moveCommand(): Command<[], Record<string, unknown>> {
  return new Command('move')
    .description('Copy all files from the storage of FILES_MOVED_FROM to that of FILES_STORAGE, while servers run')
    .option('--delete', 'remove files from the former storage once the other one has them')
    .option('--json', 'print JSON')
    .action(async ({ delete: deletes = false, json = false }) => {
      const { withServices, FileMoves } = await load();
      const moved = await withServices(
        (services) => withProgress('Files', json, (progress) => services.get(FileMoves).move(deletes, progress)),
        { onlyReads: true },
      );
      if (!moved)
        throw new OperatorError('There is no former storage: set FILES_MOVED_FROM to local or s3, for the servers too');
      const { brought, present, missing, damaged, examples } = moved;
      const output = new Output(json);
      output.result(moved, [
        `Copied ${brought} files; ${present} were there already.`,
        ...(missing > 0 ? [`${missing} files that rows name are in neither storage, such as ${examples[0]}.`] : []),
        ...(damaged > 0
          ? [
              `${damaged} files have other bytes than were stored, or have them as a copy, and stay in the former storage.`,
            ]
          : []),
      ]);
      if (missing + damaged > 0) throw new OperatorError('Not all files could be moved');
    });
}
