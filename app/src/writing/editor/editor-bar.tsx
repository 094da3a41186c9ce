import { FileButton, Group, Menu, ScrollArea, Tooltip, Anchor, Loader, Text, Alert, Code, Modal } from '@mantine/core';
import { type ComponentProps, type ComponentType, useState } from 'react';
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
import { writingTexts } from '../../texts/writing.js';
import { Button, DropMenu, IconButton, MenuItem, SecondaryButton } from '../../ui/buttons.js';
import { faultText } from '../../ui/toasts.js';
import { NEW_CHOICE } from '../../ui/forms.js';
import type { DraftState } from './draft.js';
import { timeAgo } from '../../ui/screens.js';
import { dropLeft, type LeftText } from './use-draft.js';
import { textOf as contentText } from './visual/model/content.js';

const words = writingTexts.editor;

/** The block of the dialect that begins so. */
const blockOf = (start: string): Block | undefined => BLOCKS.find(({ template }) => template.startsWith(start));

type MarkTool = 'bold' | 'italic' | 'link' | 'code';

const MARK_TOOLS: readonly (readonly [mark: MarkTool, label: string, Icon: ComponentType])[] = [
  ['bold', `${words.bold} (Ctrl+B)`, IconBold],
  ['italic', `${words.italic} (Ctrl+I)`, IconItalic],
  ['link', `${words.link} (Ctrl+K)`, IconLink],
  ['code', words.code, IconCode],
];

const BLOCK_TOOLS: readonly (readonly [block: Block | undefined, label: string, Icon: ComponentType])[] = [
  [blockOf('## '), words.heading, IconHeading],
  [blockOf('* '), words.list, IconList],
];

interface EditorToolbarProps {
  readonly onBlock: (block: Block) => void;
  readonly onMark: Readonly<Record<MarkTool, () => void>>;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onSettings: () => void;
  readonly onDone: () => void;
}

/** Marks, blocks and files for the text, and the end of writing. */
export function EditorToolbar({ onBlock, onMark, onFiles, onSettings, onDone }: EditorToolbarProps) {
  return (
    <Group justify="space-between" gap="xs" mt={4}>
      <Group gap={2} wrap="nowrap" role="toolbar" aria-label={words.insert}>
        <DropMenu
          position="bottom-start"
          returnFocus={false}
          target={<Button label={words.insert} size="compact-sm" variant="light" leftSection={<IconAdd />} />}
        >
          <Menu.Label>{words.insertHint}</Menu.Label>
          <ScrollArea.Autosize mah={360} type="auto">
            {BLOCKS.map((block) => (
              <MenuItem label={block.label} key={block.label} onClick={() => onBlock(block)} />
            ))}
          </ScrollArea.Autosize>
        </DropMenu>
        {MARK_TOOLS.map(([mark, label, Icon]) => (
          <Tool key={mark} label={label} Icon={Icon} onClick={onMark[mark]} />
        ))}
        {BLOCK_TOOLS.map(([block, label, Icon]) => (
          <Tool key={label} label={label} Icon={Icon} onClick={() => block && onBlock(block)} />
        ))}
        <FileButton multiple inputProps={NEW_CHOICE} onChange={onFiles}>
          {({ onClick }) => <Tool label={words.image} Icon={IconImage} onClick={onClick} />}
        </FileButton>
      </Group>
      <Group gap="xs" wrap="nowrap" ml="auto">
        <Tool label={writingTexts.settings.title} Icon={IconSettings} onClick={onSettings} />
        <Button label={words.done} size="xs" onClick={onDone} />
      </Group>
    </Group>
  );
}

function Tool(props: ComponentProps<typeof IconButton>) {
  return (
    <Tooltip label={props.label}>
      <IconButton size="md" {...props} />
    </Tooltip>
  );
}

type DraftStatusProps = Readonly<{
  state: DraftState;
  progress: string | undefined;
  onSave: () => void;
  onSettle: () => void;
}>;

/** Tells if the text is saved, and offers what to do where it is not. */
export function DraftStatus({ state, progress, onSave, onSettle }: DraftStatusProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      {(state.kind === 'saving' || progress !== undefined) && <Loader size={14} aria-hidden="true" />}
      <Text size="sm" role="status" c={state.kind === 'failed' || state.kind === 'conflict' ? 'red' : 'dimmed'}>
        {progress ?? stateText(state)}
      </Text>
      {state.kind === 'conflict' && (
        <Button label={words.merge} flex="none" size="compact-sm" color="red" onClick={onSettle} />
      )}
      {state.kind === 'signed-out' && (
        <Anchor size="sm" href={new URL('sign-in', document.baseURI).href} target="_blank" rel="opener">
          {words.signIn}
        </Anchor>
      )}
      {(state.kind === 'failed' || state.kind === 'offline') && (
        <SecondaryButton label={words.save} flex="none" size="compact-sm" onClick={onSave} />
      )}
    </Group>
  );
}

function stateText(state: DraftState): string {
  if (state.kind === 'failed') return `${words.state.failed}: ${faultText(state.error)}`;
  return state.kind === 'signed-out' ? words.state.signedOut : words.state[state.kind];
}

/** Offers text again that was typed in this browser and did not reach the server. */
export function LeftDrafts({
  left,
  onTake,
}: Readonly<{ left: readonly LeftText[]; onTake: (left: LeftText) => Promise<boolean> }>) {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [looked, setLooked] = useState<LeftText>();
  const next = left.find(({ key }) => !gone.has(key));
  if (!next) return null;
  const hide = (): void => setGone(new Set([...gone, next.key]));
  return (
    <Alert radius={0} py="xs" color="blue" title={words.kept}>
      <Group gap="xs">
        <Text size="sm">{words.keptText(timeAgo(new Date(next.at).toISOString()))}</Text>
        <Button
          label={words.takeKept}
          size="compact-sm"
          onClick={() => void onTake(next).then((isTaken) => isTaken && hide())}
        />
        <SecondaryButton label={words.compareKept} size="compact-sm" onClick={() => setLooked(next)} />
        <Button
          label={words.dropKept}
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={() => {
            hide();
            void dropLeft(next);
          }}
        />
      </Group>
      <Modal opened={looked !== undefined} onClose={() => setLooked(undefined)} title={looked?.title} size="xl">
        <Code block className="source-text" tabIndex={0}>
          {typeof looked?.body === 'object' ? contentText(looked.body.nodes) : looked?.body}
        </Code>
      </Modal>
    </Alert>
  );
}
