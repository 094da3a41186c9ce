import { Group, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import IconClose from '~icons/fa7-solid/xmark';
import IconDown from '~icons/fa7-solid/chevron-down';
import IconUp from '~icons/fa7-solid/chevron-up';
import { editingTexts } from '../../../texts/editing.js';
import { IconButton, SecondaryButton } from '../../../ui/buttons.js';
import { TextField } from '../../../ui/forms.js';
import type { EditorText, FindQuery, Found } from './editor-text.js';

const words = editingTexts.find;
/** The longest text that is looked for. */
const LONGEST = 200;
const LONGEST_REPLACEMENT = 2000;
/** Milliseconds without a change before the places are counted again. */
const PAUSE = 150;

interface FindBarProps {
  readonly text: EditorText;
  readonly hasReplacement: boolean;
  readonly onClose: () => void;
}

/** Finds words in the text, and replaces them. */
export function FindBar({ text, hasReplacement, onClose }: FindBarProps) {
  const [query, setQuery] = useState<FindQuery>(() => ({
    text: text.selectedWords.slice(0, LONGEST),
    replacement: '',
    isCaseSensitive: false,
    isWholeWord: false,
  }));
  const [status, setStatus] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // After all places were replaced the status says so, until something else is done.
  const isTold = useRef(false);
  const tell = ({ count, index }: Found, { text: wanted } = query): void => {
    isTold.current = false;
    setStatus(wanted === '' ? '' : words.found(index, count));
  };
  const look = (next: FindQuery): void => {
    setQuery(next);
    tell(text.find(next), next);
  };
  const first = useRef(() => {
    look(query);
    field.current?.select();
  });
  useEffect(() => {
    first.current();
    return () => text.endFind();
  }, [text]);
  const latest = useRef(tell);
  latest.current = tell;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unwatch = text.watch(() => {
      clearTimeout(timer);
      timer = setTimeout(() => isTold.current || latest.current(text.found()), PAUSE);
    });
    return () => {
      unwatch();
      clearTimeout(timer);
    };
  }, [text]);
  const replaceAll = (): void => {
    const count = text.replaceAll();
    isTold.current = true;
    setStatus(words.replaced(count));
  };
  const onKey = (event: KeyboardEvent): void => {
    // Enter also ends what is composed by a keyboard for other scripts.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    tell(text.move(event.shiftKey ? -1 : 1));
  };
  const flag = (name: 'isCaseSensitive' | 'isWholeWord') => (
    <SecondaryButton
      label={words[name]}
      size="compact-sm"
      aria-pressed={query[name]}
      variant={query[name] ? 'light' : 'default'}
      onClick={() => look({ ...query, [name]: !query[name] })}
    />
  );
  return (
    <Stack
      role="search"
      aria-label={words.label}
      className="find-bar"
      gap={6}
      px="md"
      py={6}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <Group gap={6}>
        <TextField
          ref={field}
          data-autofocus
          size="xs"
          flex="1 1 180px"
          aria-label={words.find}
          placeholder={words.find}
          maxLength={LONGEST}
          value={query.text}
          onText={(next) => look({ ...query, text: next })}
          onKeyDown={onKey}
        />
        <Text size="sm" role="status" miw={90}>
          {status}
        </Text>
        <IconButton label={words.previous} Icon={IconUp} onClick={() => tell(text.move(-1))} />
        <IconButton label={words.next} Icon={IconDown} onClick={() => tell(text.move(1))} />
        {flag('isCaseSensitive')}
        {flag('isWholeWord')}
        <IconButton label={words.close} Icon={IconClose} onClick={onClose} />
      </Group>
      {hasReplacement && (
        <Group gap={6}>
          <TextField
            size="xs"
            flex="1 1 180px"
            aria-label={words.replacement}
            placeholder={words.replacement}
            maxLength={LONGEST_REPLACEMENT}
            value={query.replacement}
            onText={(next) => look({ ...query, replacement: next })}
          />
          <SecondaryButton label={words.replace} size="compact-sm" onClick={() => tell(text.replace())} />
          <SecondaryButton label={words.replaceAll} size="compact-sm" onClick={replaceAll} />
        </Group>
      )}
      {text.unsearched > 0 && (
        <Text size="xs" c="dimmed">
          {words.unsearched(text.unsearched)}
        </Text>
      )}
    </Stack>
  );
}
