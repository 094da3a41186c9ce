import { Popover, Stack } from '@mantine/core';
import { useLocalStorage, useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';
import { texts } from '../../texts/en.js';
import { FlagField } from '../../ui/forms.js';
import { Button } from '../../ui/buttons.js';
import { KeyTable } from '../../ui/tables.js';

const words = texts.review.shortcuts;
const CHORD_MS = 1500;
const FIELDS = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog] *, [role=menu] *';

/** Runs actions by single keys, unless somebody types, or has turned the keys off. */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  const [isOn] = useShortcutsOn();
  const chordUntil = useRef(0);
  const onKeyDown = (event: KeyboardEvent): void => {
    // After g, a key belongs to the frame of the workspace.
    if (event.key === 'g') chordUntil.current = event.timeStamp + CHORD_MS;
    if (!isOn || event.timeStamp < chordUntil.current) return;
    // Brackets are typed with AltGr on many keyboards.
    const isCommand = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
    const target = event.composedPath()[0];
    const action = actions[event.key];
    if (isCommand || !action || (target instanceof Element && target.matches(FIELDS))) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  useWindowEvent('keydown', onKeyDown, { capture: true });
}

function useShortcutsOn() {
  return useLocalStorage({ key: 'bindery-review-shortcuts', defaultValue: true, getInitialValueInEffect: false });
}

/** The keys of the review, and the way to turn them off. */
export function ShortcutHint() {
  const [isOn, setIsOn] = useShortcutsOn();
  return (
    <Popover position="bottom-end" withArrow>
      <Popover.Target>
        <Button label={words.title} variant="subtle" size="compact-sm" />
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <KeyTable keys={words.keys} />
          <FlagField label={words.on} checked={isOn} onFlag={setIsOn} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
