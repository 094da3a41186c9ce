import { ActionIcon, Button, FileButton, Group, Menu, ScrollArea, Tooltip } from '@mantine/core';
import type { EditorView } from '@codemirror/view';
import type { ComponentType, ReactNode, RefObject } from 'react';
import IconAdd from '~icons/fa7-solid/plus';
import IconBold from '~icons/fa7-solid/bold';
import IconCode from '~icons/fa7-solid/code';
import IconHeading from '~icons/fa7-solid/heading';
import IconImage from '~icons/fa7-solid/image';
import IconItalic from '~icons/fa7-solid/italic';
import IconLink from '~icons/fa7-solid/link';
import IconList from '~icons/fa7-solid/list-ul';
import IconSettings from '~icons/fa7-solid/sliders';
import { type Block, BLOCKS } from '../../texts/blocks.js';
import { texts } from '../../texts/en.js';
import { insertBlock, insertLink, toggleMark } from './snippets.js';

const words = texts.writing.editor;

/** Inserts the block of the dialect that begins so. */
const insert = (start: string) => (view: EditorView) => {
  const block = BLOCKS.find(({ template }) => template.startsWith(start));
  if (block) insertBlock(view, block);
};

const TOOLS: readonly (readonly [label: string, Icon: ComponentType, run: (view: EditorView) => unknown])[] = [
  [`${words.bold} (Ctrl+B)`, IconBold, (view) => toggleMark(view, '**')],
  [`${words.italic} (Ctrl+I)`, IconItalic, (view) => toggleMark(view, '_')],
  [`${words.link} (Ctrl+K)`, IconLink, insertLink],
  [words.code, IconCode, (view) => toggleMark(view, '`')],
  [words.heading, IconHeading, insert('## ')],
  [words.list, IconList, insert('* ')],
];

interface EditorToolbarProps {
  readonly view: RefObject<EditorView | null>;
  readonly onFiles: (view: EditorView, files: readonly File[], at: number) => void;
  readonly onSettings: () => void;
  readonly onDone: () => void;
}

/** Marks, blocks and files for the text, and the end of writing. */
export function EditorToolbar({ view, onFiles, onSettings, onDone }: EditorToolbarProps): ReactNode {
  const on = (run: (editor: EditorView) => unknown): void => void (view.current && run(view.current));
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" mt={4}>
      <Group gap={2} wrap="nowrap" role="toolbar" aria-label={words.insert}>
        <BlockMenu onBlock={(block) => on((editor) => insertBlock(editor, block))} />
        {TOOLS.map(([label, Icon, run]) => (
          <Tool key={label} label={label} Icon={Icon} onClick={() => on(run)} />
        ))}
        <FileButton
          multiple
          onChange={(files) => on((editor) => onFiles(editor, files, editor.state.selection.main.head))}
        >
          {({ onClick }) => <Tool label={words.image} Icon={IconImage} onClick={onClick} />}
        </FileButton>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Tool label={texts.writing.settings.title} Icon={IconSettings} onClick={onSettings} />
        <Button size="xs" onClick={onDone}>
          {words.done}
        </Button>
      </Group>
    </Group>
  );
}

function BlockMenu({ onBlock }: Readonly<{ onBlock: (block: Block) => void }>): ReactNode {
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button size="compact-sm" variant="light" leftSection={<IconAdd width={12} aria-hidden="true" />}>
          {words.insert}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.insertHint}</Menu.Label>
        <ScrollArea.Autosize mah={360} type="auto">
          {BLOCKS.map((block) => (
            <Menu.Item key={block.label} onClick={() => onBlock(block)}>
              {block.label}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}

type ToolProps = Readonly<{ label: string; Icon: ComponentType; onClick: () => void }>;

function Tool({ label, Icon, onClick }: ToolProps): ReactNode {
  return (
    <Tooltip label={label}>
      <ActionIcon size="md" aria-label={label} onClick={onClick}>
        <Icon />
      </ActionIcon>
    </Tooltip>
  );
}
