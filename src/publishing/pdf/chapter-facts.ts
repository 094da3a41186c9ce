import { isWrittenTarget } from '../../formats/document/link-target.js';
import type { ContentRef, Document } from '../../formats/document/types.js';
import type { ChapterBody } from '../../formats/pdf/layout/book.js';
import type { Picture } from '../../formats/pdf/layout/canvas.js';
import type { ResolvedReference } from '../../formats/pdf/layout/layout-context.js';
import { referenceOfUrl } from './page-reference-resolver.js';

/** An image as described by its file, without its bytes. */
export type PictureFacts = Omit<Picture, 'load'>;

/** Answers for references, as JSON. */
type Answers<Answer> = readonly (readonly [ref: string, answer: Answer])[];

/** A page of a PDF as data that can be sent to a thread, where `bodyOf` makes a body of it. */
export interface ChapterFacts {
  /** JSON. */
  readonly document: string;
  readonly references: Answers<ResolvedReference>;
  readonly pictures: Answers<PictureFacts>;
  /** Reusable contents as JSON. */
  readonly reusables: Answers<string>;
  readonly cover?: PictureFacts;
}

/** Collects the answers for all references in a page and in its reusable contents. Addresses need none, unless they mean something of the space. */
export function chapterFacts(
  document: string,
  { resolver, cover }: Omit<ChapterBody, 'document'>,
  references: readonly ContentRef[],
): ChapterFacts {
  const wanted = [
    ...new Map(
      references
        .filter((ref) => ref.kind !== 'url' || isWrittenTarget(ref))
        .map((ref) => [JSON.stringify(ref), ref] as const),
    ),
  ];
  const answers = <Answer>(ask: (ref: ContentRef) => Answer | undefined): Answers<Answer> =>
    wanted.flatMap(([key, ref]) => {
      const answer = ask(ref);
      return answer === undefined ? [] : [[key, answer]];
    });
  const reusable = (ref: ContentRef): Document | undefined =>
    ref.kind === 'reusable-content' ? resolver.reusable(ref) : undefined;
  return {
    document,
    references: answers((ref) => resolver.reference(ref)),
    pictures: answers((ref) => factsOfPicture(resolver.picture(ref))),
    reusables: answers((ref) => jsonOf(reusable(ref))),
    ...(cover && { cover: factsOfPicture(cover) }),
  };
}

function factsOfPicture<Given extends Picture | undefined>(picture: Given): PictureFacts | (Given & undefined) {
  if (picture === undefined) return picture;
  const { load: _elsewhere, ...facts } = picture;
  return facts;
}

function jsonOf(document: Document | undefined): string | undefined {
  return document && JSON.stringify(document);
}

/** A page with all its references; `load` returns the bytes of an image by its hash. */
export function bodyOf(
  { document, references, pictures, reusables, cover }: ChapterFacts,
  load: (hash: string) => Promise<Buffer>,
): ChapterBody {
  const whole = (facts: PictureFacts): Picture => ({ ...facts, load: () => load(facts.hash) });
  const [reference, picture] = [new Map(references), new Map(pictures.map(([ref, facts]) => [ref, whole(facts)]))];
  const documents = new Map(reusables.map(([ref, json]) => [ref, JSON.parse(json) as Document]));
  return {
    document: JSON.parse(document) as Document,
    resolver: {
      reference: (ref) => reference.get(JSON.stringify(ref)) ?? (ref.kind === 'url' ? referenceOfUrl(ref.url) : {}),
      picture: (ref) => picture.get(JSON.stringify(ref)),
      reusable: (ref) => documents.get(JSON.stringify(ref)),
    },
    ...(cover && { cover: whole(cover) }),
  };
}
