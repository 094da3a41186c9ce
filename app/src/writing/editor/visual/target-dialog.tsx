import { Group, Modal, NavLink, ScrollArea, Stack } from '@mantine/core';
import { useState } from 'react';
import { writingTexts } from '../../../texts/writing.js';
import { Button, SecondaryButton } from '../../../ui/buttons.js';
import { TextField } from '../../../ui/forms.js';
import type { Data } from './model/content.js';
import { isSafeAddress } from './model/schema.js';

const words = writingTexts.visual.linking;
const MOST = 20;
const ADDRESS = /^(?:[a-z]+:|\/|#|\.\.?\/)/i;

/** Something that a link or a block can lead to. */
export interface Target {
  readonly ref: Data;
  readonly title: string;
  readonly detail?: string;
}

interface TargetDialogProps {
  readonly title: string;
  readonly targets: readonly Target[];
  /** True where addresses are taken, too. */
  readonly takesAddress: boolean;
  /** The first value of the field. */
  readonly first: string;
  readonly onTarget: (target: Target) => void;
  /** Takes the present target away. */
  readonly onRemove?: (() => void) | undefined;
  readonly onClose: () => void;
}

/** Asks for a target, which is found by its title, or for an address. */
export function TargetDialog(props: TargetDialogProps) {
  const { title, targets, takesAddress, first, onTarget, onRemove, onClose } = props;
  const [text, setText] = useState(first);
  const wanted = text.trim().toLowerCase();
  const found = targets.filter((each) =>
    [each.title, each.detail ?? ''].some((one) => one.toLowerCase().includes(wanted)),
  );
  const isAddress = takesAddress && ADDRESS.test(text.trim());
  const submit = (): void => {
    // The target that it has stays as it is, with all that the field does not show.
    if (onRemove && text === first) return onClose();
    const url = text.trim();
    const [target] = found;
    if (isAddress) onTarget({ ref: { kind: 'url', url }, title: url });
    else if (target) onTarget(target);
  };
  return (
    <Modal opened onClose={onClose} title={title} returnFocus={false}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="sm">
          <TextField
            label={takesAddress ? words.target : words.name}
            description={takesAddress ? words.hint : undefined}
            value={text}
            onText={setText}
            error={isAddress && !isSafeAddress(text) && words.unsafe}
            data-autofocus
          />
          {!isAddress && (
            <ScrollArea.Autosize mah={240} type="auto">
              {found.slice(0, MOST).map((target) => (
                <NavLink
                  key={JSON.stringify(target.ref)}
                  component="button"
                  type="button"
                  label={target.title}
                  description={target.detail}
                  onClick={() => onTarget(target)}
                />
              ))}
            </ScrollArea.Autosize>
          )}
          <Group justify="flex-end">
            {onRemove && <SecondaryButton label={words.remove} onClick={onRemove} />}
            <Button
              label={words.set}
              type="submit"
              disabled={isAddress ? !isSafeAddress(text) : found.length === 0 || (takesAddress && wanted === '')}
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
