import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { editingTexts } from '../../../texts/editing.js';
import { type TextCount, WordCounter } from './count-words.js';
import type { EditorText } from './editor-text.js';

const words = editingTexts.find;
/** Milliseconds without a change before the text is counted, and the longest time that is counted at once. */
const PAUSE = 500;
const SLICE = 6;

type Shown = TextCount & Readonly<{ isSelection: boolean }>;

/** The words and characters of a text, or of what is selected: counted a moment after the last change. */
export function WordCount({ text }: Readonly<{ text: EditorText | undefined }>) {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    if (!text) return undefined;
    const counter = new WordCounter();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(begin, PAUSE);
    };
    const begin = (): void => {
      const { lines, isSelection } = text.lines();
      // A selection is no reason to forget the lines of the whole.
      const counting = (isSelection ? new WordCounter() : counter).count(lines);
      const goOn = (): void => {
        const end = performance.now() + SLICE;
        for (let next = counting.next(); ; next = counting.next()) {
          if (next.done === true) return setShown({ ...next.value, isSelection });
          if (performance.now() > end) break;
        }
        timer = setTimeout(goOn);
      };
      goOn();
    };
    wait();
    const unwatch = text.watch(wait);
    return () => {
      unwatch();
      clearTimeout(timer);
    };
  }, [text]);
  if (!shown) return null;
  const count = words.count(shown.words, shown.characters);
  return (
    <Text size="xs" c="dimmed" px="md" py={2} className="word-count">
      {shown.isSelection ? words.selection(count) : count}
    </Text>
  );
}
