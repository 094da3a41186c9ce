import type { EditorView } from 'prosemirror-view';
import { useState } from 'react';
import { writingTexts } from '../../../texts/writing.js';
import type { References } from '../completions.js';
import { linkAt, setLink } from './commands.js';
import { InlineDialog } from './inline-dialog.js';
import type { ContentBlock, Data } from './model/content.js';
import { type Target, TargetDialog } from './target-dialog.js';
import type { FollowedRange } from './followed-ranges.js';

const words = writingTexts.visual.linking;

/** A question that is asked before the text changes. */
export type Asked =
  | { readonly kind: 'link' | 'card' | 'reusable'; readonly range: FollowedRange }
  | { readonly kind: 'inline'; readonly position: number };

interface AskingProps {
  readonly asked: Asked;
  readonly view: EditorView;
  readonly references: References;
  readonly onContent: (blocks: readonly ContentBlock[], range: FollowedRange) => void;
  readonly onClose: () => void;
}

/** The dialog of a question. */
export function Asking({ asked, ...props }: AskingProps) {
  const { view, references, onContent, onClose } = props;
  if (asked.kind === 'inline') return <InlineDialog view={view} position={asked.position} onClose={onClose} />;
  if (asked.kind === 'link') return <LinkDialog {...props} range={asked.range} />;
  const isCard = asked.kind === 'card';
  return (
    <TargetDialog
      title={isCard ? words.card : words.reusable}
      targets={isCard ? pageTargets(references) : reusableTargets(references)}
      takesAddress={isCard}
      first=""
      onTarget={({ ref }) => {
        onClose();
        onContent([blockFor(isCard ? 'content-ref' : 'reusable-content', ref)], asked.range);
      }}
      onClose={onClose}
    />
  );
}

function LinkDialog({
  view,
  references,
  range,
  onClose,
}: Omit<AskingProps, 'asked'> & Readonly<{ range: FollowedRange }>) {
  const [mark] = useState(() => linkAt(view.state).mark);
  const { ref } = (mark?.attrs['data'] ?? {}) as { readonly ref?: Data };
  const set = (target?: Target): void => {
    setLink(...range.end(), target && { ref: target.ref }, target?.title)(view.state, view.dispatch);
    onClose();
    view.focus();
  };
  return (
    <TargetDialog
      title={words.title}
      targets={pageTargets(references)}
      takesAddress
      first={addressOf(ref, references)}
      onTarget={set}
      onRemove={mark && (() => set())}
      onClose={onClose}
    />
  );
}

function blockFor(type: string, ref: Data): ContentBlock {
  return { object: 'block', type, isVoid: true, data: { ref } };
}

function pageTargets({ tree }: References): Target[] {
  return [...tree.items.values()].flatMap(({ id, type, title, path = '' }) =>
    type === 'document' ? { ref: { kind: 'page', page: id }, title, detail: path } : [],
  );
}

function reusableTargets({ reusableContents }: References): Target[] {
  return reusableContents.map(({ id, title }) => ({ ref: { kind: 'reusable-content', reusableContent: id }, title }));
}

/** The target of a link as it is written in the field. */
function addressOf(ref: Data | undefined, { tree }: References): string {
  const { url, page } = ref ?? {};
  if (typeof url === 'string') return url;
  return (typeof page === 'string' && tree.items.get(page)?.title) || '';
}
