import { webAddress } from '../kernel/common/web-address.js';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { EXIT, exit, Output } from './output.js';
import { problemLines } from './problem-lines.js';
import type { Brought } from './folder/bringing.js';
import { changeLines, changesBetween, isWithoutChange } from './folder/folder-changes.js';
import { revisionInSpace, pullAgain, pullFirst } from './folder/pulling.js';
import { push, type Pushed, type PushWishes } from './folder/pushing.js';
import { SpaceClient } from './folder/space-client.js';
import { hashesOf, WorkingFolder } from './folder/working-folder.js';

/** The options that all commands of folders share. */
export interface ServerOptions {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly json: boolean;
}

export interface PullOptions extends ServerOptions {
  readonly space?: string | undefined;
  readonly changeRequest?: string | undefined;
  readonly saveToken: boolean;
}

/** `bindery pull`. */
export async function runPull(path: string | undefined, options: PullOptions): Promise<void> {
  const { space, changeRequest, saveToken, json } = options;
  const output = new Output(json);
  if (space === undefined) {
    if (changeRequest !== undefined)
      throw new OperatorError('--change-request belongs to the first pull of a folder, beside --space');
    const folder = await WorkingFolder.find(path ?? '.');
    const state = await folder.state();
    const token = await tokenOf(options, folder);
    const brought = await pullAgain(folder, new SpaceClient(urlOf(options, state.url), state.space, token));
    if (saveToken) await folder.saveToken(token);
    return told(output, folder, brought, state.revision);
  }
  if (path === undefined) throw new OperatorError('Name the new folder: bindery pull <folder> --space <id>');
  const url = urlOf(options);
  const token = await tokenOf(options);
  const client = new SpaceClient(url, space, token);
  // Nothing is made for a space that the token does not open.
  await client.facts();
  const folder = await WorkingFolder.make(path);
  const brought = await pullFirst(folder, client, { url, space, changeRequest });
  if (saveToken) await folder.saveToken(token);
  return told(output, folder, brought, brought.revision);
}

async function told(
  output: Output,
  folder: WorkingFolder,
  brought: Brought | undefined,
  revision: string,
): Promise<void> {
  const facts = brought ?? { revision, written: [], deleted: [], merged: [], conflicts: [], problems: [] };
  const lines = brought === undefined ? ['Nothing has changed in the space.'] : broughtLines(brought);
  output.result({ folder: folder.root, ...facts }, lines);
  if (facts.conflicts.length > 0) await exit(EXIT.failure);
}

function broughtLines({ written, deleted, merged, conflicts, problems }: Brought): string[] {
  return [
    ...problems,
    ...conflicts.map(({ path, message }) => `conflict: ${path}: ${message}`),
    `Wrote ${written.length} files, merged ${merged.length} and deleted ${deleted.length}; ${conflicts.length} conflicts.`,
  ];
}

/** `bindery status`. */
export async function runStatus(path: string | undefined, options: ServerOptions): Promise<void> {
  const folder = await WorkingFolder.find(path ?? '.');
  const state = await folder.state();
  const client = new SpaceClient(urlOf(options, state.url), state.space, await tokenOf(options, folder));
  const left = new Map(Object.entries(state.left));
  const changes = changesBetween(hashesOf(await folder.base()), hashesOf(await folder.files()), left);
  const head = await revisionInSpace(client, state);
  const isBehind = head !== state.revision;
  const { proposal } = state;
  const waiting = proposal && (await client.request(proposal.id));
  const request = waiting && { number: waiting.number, status: waiting.status, url: waiting.urls.app };
  new Output(options.json).result(
    { folder: folder.root, revision: state.revision, head, behind: isBehind, ...changes, ...(request && { request }) },
    [
      ...changeLines(changes),
      ...(isWithoutChange(changes) ? ['Nothing has changed here.'] : []),
      isBehind ? 'The space has changed: bindery pull brings that here.' : 'Nothing has changed in the space.',
      ...(request ? [`Change request #${request.number} of the last push is ${request.status}: ${request.url}`] : []),
    ],
  );
}

/** `bindery push`. */
export async function runPush(path: string | undefined, options: ServerOptions & PushWishes): Promise<void> {
  const folder = await WorkingFolder.find(path ?? '.');
  const state = await folder.state();
  const client = new SpaceClient(urlOf(options, state.url), state.space, await tokenOf(options, folder));
  const pushed = await push(folder, client, options);
  new Output(options.json).result({ folder: folder.root, ...factsOf(pushed) }, pushLines(pushed));
  if (pushed.result === 'conflicts' || ('brought' in pushed && pushed.brought.conflicts.length > 0))
    await exit(EXIT.failure);
}

function factsOf(pushed: Pushed): object {
  if (!('request' in pushed) || !pushed.request) return pushed;
  const { id, number, status, urls } = pushed.request;
  return { ...pushed, request: { id, number, status, url: urls.app } };
}

function pushLines(pushed: Pushed): string[] {
  if (pushed.result === 'nothing')
    return pushed.request
      ? [`These changes are in change request #${pushed.request.number} already: ${pushed.request.urls.app}`]
      : ['Nothing has changed here.'];
  const problems = problemLines(pushed.problems);
  if ('request' in pushed) {
    const { number, urls } = pushed.request;
    const why =
      pushed.result === 'conflicts'
        ? `The space has changed in the same places: settle the conflicts in change request #${number}`
        : `The changes wait in change request #${number}`;
    return [...problems, `${why}: ${urls.app}`];
  }
  const { brought, result, revision } = pushed;
  const whole = result === 'merged' ? 'Pushed, and merged with what has changed in the space' : 'Pushed';
  return [...problems, `${whole}: revision ${revision}.`, ...broughtLines(brought)];
}

function urlOf({ url }: ServerOptions, known?: string): string {
  const given = firstOf(url, process.env['BINDERY_URL'], known);
  if (given === undefined) throw new OperatorError('Name the server: with --url, or BINDERY_URL in the environment');
  const address = webAddress(given);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new OperatorError(`${given} is no address of a server, such as https://docs.example.com`);
  return address.href.replace(/\/+$/, '').replace(/\/v1$/, '');
}

async function tokenOf({ token }: ServerOptions, folder?: WorkingFolder): Promise<string> {
  const given = firstOf(token, process.env['BINDERY_TOKEN']) ?? (await folder?.token());
  if (given === undefined) throw new OperatorError('Give a token: BINDERY_TOKEN in the environment, or --token');
  return given;
}

/** The first text that is given and not empty, as variables of the environment can be. */
function firstOf(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text !== '');
}
