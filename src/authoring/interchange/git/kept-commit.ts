import git from 'isomorphic-git';
import { GITDIR, type CommitListing } from './commit-listing.js';
import { MemoryFs } from './memory-fs.js';
import { checkPack } from './pack-limits.js';

const MB = 1024 ** 2;
const MAX_FILES = 100_000;
/** Limits of what is kept of one commit: more makes the next import a whole one. */
const KEPT_LIMITS = { objectBytes: 16 * MB, totalBytes: 32 * MB, objects: 20_000 };
const PACK = 'objects/pack/pack-kept.pack';

/** A commit as it is kept: a packfile with itself, its trees, and some of its texts. */
export interface KeptCommit {
  readonly oid: string;
  readonly pack: Buffer;
}

/** Packs a commit and its trees; undefined where that is too much. */
export async function keepCommit(
  fs: MemoryFs,
  oid: string,
  { objects, trees }: CommitListing,
  cache: object,
): Promise<KeptCommit | undefined> {
  if (objects.size > MAX_FILES || trees.size >= KEPT_LIMITS.objects) return undefined;
  return packed(fs, oid, [oid, ...trees], cache);
}

/** Adds texts of its files to a kept commit; as it is where that is too much. */
export async function keepTexts(kept: KeptCommit, texts: readonly Buffer[]): Promise<KeptCommit> {
  const cache = {};
  const { fs, oids } = await openKept(kept, cache);
  const all = new Set(oids);
  for (const blob of texts) all.add(await git.writeBlob({ fs, gitdir: GITDIR, blob }));
  return (await packed(fs, kept.oid, [...all], cache)) ?? kept;
}

/** A repository in memory with what is kept of a commit. Throws where that is damaged. */
export async function openKept(
  { oid, pack }: KeptCommit,
  cache: object,
  limits = KEPT_LIMITS,
): Promise<{ readonly fs: MemoryFs; readonly oids: readonly string[] }> {
  const fs = new MemoryFs(async (path, bytes) => {
    if (path.endsWith('.pack')) await checkPack(bytes, path.endsWith(PACK) ? KEPT_LIMITS : limits);
  });
  await git.init({ fs, gitdir: GITDIR, bare: true });
  await fs.promises.mkdir(`${GITDIR}/objects/pack`);
  await fs.promises.writeFile(`${GITDIR}/${PACK}`, pack);
  const { oids } = await git.indexPack({ fs, dir: GITDIR, gitdir: GITDIR, filepath: PACK, cache });
  if (!oids.includes(oid)) throw new Error(`what is kept of ${oid} lacks it`);
  return { fs, oids };
}

async function packed(fs: MemoryFs, oid: string, oids: string[], cache: object): Promise<KeptCommit | undefined> {
  const { packfile } = await git.packObjects({ fs, gitdir: GITDIR, oids, cache });
  if (packfile === undefined) throw new Error('a pack was written, and not given');
  const pack = Buffer.from(packfile);
  try {
    await checkPack(pack, KEPT_LIMITS);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return { oid, pack };
}
