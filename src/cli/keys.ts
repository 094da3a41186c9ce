import { Command } from '@commander-js/extra-typings';
import type { KeyState } from '../kernel/platform/keys/key-states.js';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { Output, table } from './output.js';

const load = async () => ({
  ...(await import('./services.js')),
  ...(await import('../kernel/platform/keys/key-states.js')),
  ...(await import('../kernel/platform/keys/sealed-values.js')),
});

/** `bindery keys status|reseal|discard`. */
export function keysCommand(): Command {
  return new Command('keys')
    .description('Show and rotate the keys of SECRET_KEY')
    .addCommand(statusCommand())
    .addCommand(resealCommand())
    .addCommand(discardCommand());
}

function statusCommand(): Command<[], Record<string, unknown>> {
  return new Command('status')
    .description('List the keys, the secrets encrypted with them, and keys that are no longer needed')
    .option('--json', 'print JSON')
    .action(async ({ json = false }) => {
      const { withServices, KeyStates } = await load();
      const states = await withServices((services) => services.get(KeyStates).list(), { onlyReads: true });
      const now = new Date();
      const lines = states.map((state) => ({
        key: state.id === '' ? '(no id)' : state.id,
        place: state.place,
        secrets: state.values,
        used: state.usedAt?.toISOString(),
        verdict: verdictOf(state, now),
      }));
      new Output(json).result(
        { keys: states.map((state) => ({ ...state, verdict: verdictOf(state, now) })) },
        table(lines),
      );
    });
}

function resealCommand(): Command<[], Record<string, unknown>> {
  return new Command('reseal')
    .description('Encrypt all stored secrets with the first key; running servers do the same automatically')
    .option('--json', 'print JSON')
    .action(async ({ json = false }) => {
      const { withServices, SealedValues, describeSealed } = await load();
      const { resealed, unreadable } = await withServices(async (services) => {
        const values = services.get(SealedValues);
        return { resealed: await values.reseal(), unreadable: await values.unreadable() };
      });
      const left =
        unreadable.length === 0
          ? []
          : [
              'These stay unchanged, because no key of SECRET_KEY opens them:',
              ...unreadable.map((count) => `  ${describeSealed(count)}`),
            ];
      new Output(json).result({ resealed, unreadable }, [
        `Encrypted ${resealed} stored secrets with the first key.`,
        ...left,
      ]);
    });
}

function discardCommand(): Command<[], Record<string, unknown>> {
  return new Command('discard')
    .description(
      'Discard stored secrets that no key of SECRET_KEY opens: share links, invitations, webhooks, keys of sites and client secrets of identity providers',
    )
    .option('--yes', 'confirm that the secrets are discarded')
    .option('--json', 'print JSON')
    .action(async ({ yes = false, json = false }) => {
      const { withServices, SealedValues } = await load();
      if (!yes)
        throw new OperatorError('Discarded secrets cannot be recovered: pass --yes if their key is lost for good');
      const discarded = await withServices((services) => services.get(SealedValues).discardUnreadable());
      new Output(json).result({ discarded }, [`Discarded ${discarded} stored secrets.`]);
    });
}

function verdictOf({ id, place, values, unreadable, freeFrom }: KeyState, now: Date): string {
  if (place === 'first') return 'encrypts and signs';
  if (unreadable > 0)
    return place === 'missing' && id !== ''
      ? 'needed, but not configured'
      : `${unreadable} of its secrets are opened by no key of SECRET_KEY`;
  if (place === 'missing') return 'to be encrypted anew';
  if (freeFrom === undefined)
    return values > 0
      ? 'needed until its secrets are encrypted anew'
      : 'needed until secrets without a key id are encrypted anew';
  return freeFrom > now
    ? `needed until ${freeFrom.toISOString()}, for what it signed`
    : 'not needed: remove it, unless it is to become the first';
}
