import { Group, Modal, NavLink, ScrollArea, Stack } from '@mantine/core';
import type { EditorView } from 'prosemirror-view';
import { useState } from 'react';
import { texts } from '../../../texts/en.js';
import { Button, SecondaryButton } from '../../../ui/buttons.js';
import { TextField } from '../../../ui/forms.js';
import type { References } from '../completions.js';
import { linkAt, setLink } from './commands.js';
import { isSafeAddress } from './model/schema.js';

const words = texts.writing.visual.linking;
const MOST = 20;

interface LinkDialogProps {
  readonly view: EditorView;
  readonly references: References;
  readonly onClose: () => void;
}

/** Asks for the target of a link: an address, or a page of the space, which is found by its title. */
export function LinkDialog({ view, references, onClose }: LinkDialogProps) {
  // The range stays the one that was selected when the dialog was opened.
  const [{ mark, from, to }] = useState(() => linkAt(view.state));
  const ref = (mark?.attrs['data'] as { readonly ref?: Target } | undefined)?.ref;
  const [target, setTarget] = useState(() => addressOf(ref, references));
  const wanted = target.trim().toLowerCase();
  const pages = [...references.tree.items.values()].filter(
    ({ type, title, path = '' }) =>
      type === 'document' && [title, path].some((each) => each.toLowerCase().includes(wanted)),
  );
  const isAddress = /^(?:[a-z]+:|\/|#|\.\.?\/)/i.test(target.trim());
  const set = (next: object | undefined, text = ''): void => {
    setLink(from, to, next && { ref: next }, text)(view.state, view.dispatch);
    onClose();
    view.focus();
  };
  const submit = (): void => {
    const [first] = pages;
    const url = target.trim();
    if (isAddress) set({ kind: 'url', url }, url);
    else if (first) set({ kind: 'page', page: first.id }, first.title);
  };
  return (
    <Modal opened onClose={onClose} title={words.title} returnFocus={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="sm">
          <TextField
            label={words.target}
            description={words.hint}
            value={target}
            onText={setTarget}
            error={isAddress && !isSafeAddress(target) && words.unsafe}
            data-autofocus
          />
          {!isAddress && (
            <ScrollArea.Autosize mah={240} type="auto">
              {pages.slice(0, MOST).map(({ id, title, path }) => (
                <NavLink
                  key={id}
                  component="button"
                  type="button"
                  label={title}
                  description={path}
                  onClick={() => set({ kind: 'page', page: id }, title)}
                />
              ))}
            </ScrollArea.Autosize>
          )}
          <Group justify="flex-end">
            {mark && <SecondaryButton label={words.remove} onClick={() => set(undefined)} />}
            <Button
              label={words.set}
              type="submit"
              disabled={isAddress ? !isSafeAddress(target) : pages.length === 0 || wanted === ''}
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type Target = Readonly<{ kind: string; url?: string; page?: string }>;

/** The target of a link as it is written in the field. */
function addressOf(ref: Target | undefined, { tree }: References): string {
  if (ref?.kind === 'url') return ref.url ?? '';
  return (ref?.page !== undefined && tree.items.get(ref.page)?.title) || '';
}
