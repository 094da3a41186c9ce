import { ActionIcon, Button, FileButton, Group, Menu, ScrollArea, Tooltip } from '@mantine/core';
import type { EditorView } from '@codemirror/view';
import type { ReactNode, RefObject } from 'react';
import IconAdd from '~icons/fa7-solid/plus';
import IconBold from '~icons/fa7-solid/bold';
import IconCode from '~icons/fa7-solid/code';
import IconHeading from '~icons/fa7-solid/heading';
import IconImage from '~icons/fa7-solid/image';
import IconItalic from '~icons/fa7-solid/italic';
import IconLink from '~icons/fa7-solid/link';
import IconList from '~icons/fa7-solid/list-ul';
import IconSettings from '~icons/fa7-solid/sliders';
import { BLOCKS } from '../../texts/blocks.js';
import { texts } from '../../texts/en.js';
import { insertBlock, insertLink, toggleMark } from './snippets.js';

const words = texts.writing.editor;

/** Marks, blocks and files for the text, and the end of writing. */
export function EditorToolbar({
  view,
  onFiles,
  onSettings,
  onDone,
}: Readonly<{
  view: RefObject<EditorView | null>;
  onFiles: (view: EditorView, files: readonly File[], at: number) => void;
  onSettings: () => void;
  onDone: () => void;
}>): ReactNode {
  const on = (run: (editor: EditorView) => unknown) => (): void => {
    if (view.current) run(view.current);
  };
  const block = (start: string) =>
    on((editor) => {
      const found = BLOCKS.find(({ template }) => template.startsWith(start));
      if (found) insertBlock(editor, found);
    });
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" mt={4}>
      <Group gap={2} wrap="nowrap" role="toolbar" aria-label={words.insert}>
        <BlockMenu view={view} />
        <Tool label={`${words.bold} (Ctrl+B)`} onClick={on((editor) => toggleMark(editor, '**'))} icon={<IconBold />} />
        <Tool
          label={`${words.italic} (Ctrl+I)`}
          onClick={on((editor) => toggleMark(editor, '_'))}
          icon={<IconItalic />}
        />
        <Tool label={`${words.link} (Ctrl+K)`} onClick={on(insertLink)} icon={<IconLink />} />
        <Tool label={words.code} onClick={on((editor) => toggleMark(editor, '`'))} icon={<IconCode />} />
        <Tool label={words.heading} onClick={block('## ')} icon={<IconHeading />} />
        <Tool label={words.list} onClick={block('* ')} icon={<IconList />} />
        <FileButton
          multiple
          onChange={(files) => on((editor) => onFiles(editor, files, editor.state.selection.main.head))()}
        >
          {(props) => <Tool label={words.image} onClick={props.onClick} icon={<IconImage />} />}
        </FileButton>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Tool label={texts.writing.settings.title} onClick={onSettings} icon={<IconSettings />} />
        <Button size="xs" onClick={onDone}>
          {words.done}
        </Button>
      </Group>
    </Group>
  );
}

function BlockMenu({ view }: Readonly<{ view: RefObject<EditorView | null> }>): ReactNode {
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
            <Menu.Item key={block.label} onClick={() => view.current && insertBlock(view.current, block)}>
              {block.label}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}

function Tool({ label, icon, onClick }: Readonly<{ label: string; icon: ReactNode; onClick: () => void }>): ReactNode {
  return (
    <Tooltip label={label}>
      <ActionIcon size="md" aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
