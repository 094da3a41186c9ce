const HEADS = 'refs/heads/';
const MAX_SLUG = 40;
const ID_LETTERS = 6;

/** Names that git takes for a branch, with or without `refs/heads/`. Source: `git check-ref-format`. */
export const BRANCH_NAME =
  /^(?!refs\/(?!heads\/))(?![-/.])(?!.*(?:\/\/|\.\.|@\{|\/\.|\.lock(?:\/|$)))(?!@$)[^\s~^:?*[\\\p{Cc}]*[^\s~^:?*[\\\p{Cc}./]$/u;

/** The ref of a branch that is given by its name or by its ref. */
export function refOf(branch: string): string {
  return branch.startsWith(HEADS) ? branch : HEADS + branch;
}

/** The name of a branch that is given by its ref. */
export function branchOf(ref: string): string {
  return ref.startsWith(HEADS) ? ref.slice(HEADS.length) : ref;
}

/** The name of the branch of a change request where nobody has given one: the end of the id tells it from those of other spaces. */
export function defaultBranch({ number, subject, id }: { number: number; subject: string; id: string }): string {
  const words = subject
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).join('-').slice(0, MAX_SLUG).replace(/-$/, '');
  return ['bindery/', number, slug === '' ? '' : `-${slug}`, '-', id.slice(-ID_LETTERS).toLowerCase()].join('');
}
