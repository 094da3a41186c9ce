import { Button, Popover, Stack, Switch } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useRef, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { KeyTable } from '../../ui/key-table.js';

const words = texts.review.shortcuts;
const CHORD_MS = 1500;
const FIELDS = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog] *, [role=menu] *';

/** Runs actions by single keys, unless somebody types, or has turned the keys off. */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  const [isOn] = useShortcutsOn();
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    let chordUntil = 0;
    const onKeyDown = (event: KeyboardEvent): void => {
      // After g, a key belongs to the frame of the workspace.
      if (event.key === 'g') chordUntil = event.timeStamp + CHORD_MS;
      if (event.timeStamp < chordUntil) return;
      // Brackets are typed with AltGr on many keyboards.
      const isCommand = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
      const target = event.composedPath()[0];
      const action = latest.current[event.key];
      if (isCommand || !action) return;
      if (target instanceof Element && target.matches(FIELDS)) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isOn]);
}

function useShortcutsOn() {
  return useLocalStorage({ key: 'bindery-review-shortcuts', defaultValue: true, getInitialValueInEffect: false });
}

/** The keys of the review, and the way to turn them off. */
export function ShortcutHint(): ReactNode {
  const [isOn, setIsOn] = useShortcutsOn();
  return (
    <Popover position="bottom-end" withArrow>
      <Popover.Target>
        <Button variant="subtle" size="compact-sm">
          {words.title}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <KeyTable keys={words.keys} />
          <Switch label={words.on} checked={isOn} onChange={({ currentTarget }) => setIsOn(currentTarget.checked)} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
