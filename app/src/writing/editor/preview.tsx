import { Box, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { EditorView } from '@codemirror/view';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useRef, type RefObject } from 'react';
import { send } from '../../api/client.js';
import { writingTexts } from '../../texts/writing.js';
import { RenderedContent } from '../../ui/rendered-content.js';
import { pathAt, usePlace } from '../place.js';

const PAUSE = 400;

interface PreviewProps {
  readonly page: string;
  readonly body: string;
  /** Receives what scrolls the preview to a line of the text. */
  readonly scrollTo: RefObject<((line: number) => void) | null>;
}

/** The text as it will be published, a moment after it was typed. */
export function Preview({ page, body, scrollTo }: PreviewProps) {
  const place = usePlace();
  const [markdown] = useDebouncedValue(body, PAUSE);
  const pane = useRef<HTMLDivElement>(null);
  const { data, error } = useQuery({
    queryKey: ['preview', place, page, markdown],
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      send('post', pathAt(place, '/v1/spaces/{spaceId}/content/render'), place, { markdown, page }, { signal }),
  });
  const onContent = useCallback(
    (content: HTMLElement) => {
      scrollTo.current = (line) => {
        if (pane.current) scrollToLine(pane.current, content, line);
      };
      return () => void (scrollTo.current = null);
    },
    [scrollTo],
  );
  return (
    <Box
      ref={pane}
      className="pane editor-preview"
      flex={1}
      px="lg"
      pt="md"
      pb="40vh"
      tabIndex={0}
      role="region"
      aria-label={writingTexts.editor.preview}
    >
      {error && (
        <Text c="red" size="sm" role="status">
          {writingTexts.editor.noPreview} {error.message}
        </Text>
      )}
      <RenderedContent html={data?.html ?? ''} label={writingTexts.read.content} onContent={onContent} />
    </Box>
  );
}

/** Scrolls so that what a line became stands at the top, between two elements in the same proportion. */
function scrollToLine(pane: HTMLElement, content: HTMLElement, line: number): void {
  const elements = [...content.querySelectorAll<HTMLElement>('[data-line]')];
  const lineOf = (element: HTMLElement): number => Number(element.dataset['line']);
  const after = elements.findIndex((element) => lineOf(element) > line);
  const element = elements[after === -1 ? elements.length - 1 : Math.max(0, after - 1)];
  if (!element) return;
  const next = after > 0 ? elements[after] : undefined;
  const top = element.getBoundingClientRect().top;
  const height = (next?.getBoundingClientRect().top ?? top) - top;
  const share = next ? (line - lineOf(element)) / (lineOf(next) - lineOf(element)) : 0;
  const paneTop = pane.getBoundingClientRect().top + 16;
  pane.scrollTop += top + height * Math.min(1, Math.max(0, share)) - paneTop;
}

/** The first line of the text that is in sight, with the part of it that is scrolled away. */
export function topLine(view: EditorView): number {
  const top = view.scrollDOM.scrollTop;
  const block = view.lineBlockAtHeight(top);
  const share = block.height === 0 ? 0 : (top - block.top) / block.height;
  return view.state.doc.lineAt(block.from).number + Math.min(1, Math.max(0, share));
}
