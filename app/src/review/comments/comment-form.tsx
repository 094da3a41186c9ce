import { Button, Combobox, Group, Stack, Textarea, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Schemas } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { usePlace } from '../../writing/place.js';
import { membersQuery } from '../queries.js';
import { mention, shownMentions, typedName, withMentions } from './mentions.js';

const words = texts.review.comments;
const TYPING_MS = 150;
const MOST_SHOWN = 6;

interface CommentFormProps {
  readonly label: string;
  readonly submit: string;
  /** The Markdown to begin with. */
  readonly initial?: string;
  readonly autoFocus?: boolean;
  /** Whether it can be sent without a word. */
  readonly mayBeEmpty?: boolean;
  readonly onSubmit: (markdown: string) => Promise<unknown>;
  readonly onCancel?: (() => void) | undefined;
  /** Further fields below the text. */
  readonly children?: ReactNode;
  /** Further buttons. */
  readonly buttons?: ReactNode;
  /** Another way to send the text. */
  readonly second?: { readonly label: string; readonly onSubmit: (markdown: string) => Promise<unknown> } | undefined;
}

/** A comment being written: Markdown, with people that are mentioned by `@`. Ctrl+Enter sends it. */
export function CommentForm(props: CommentFormProps): ReactNode {
  const { label, submit, initial = '', autoFocus = false, mayBeEmpty = false, onSubmit, onCancel } = props;
  const [begun] = useState(() => shownMentions(initial));
  const [text, setText] = useState(begun.text);
  const people = useRef(new Map(begun.people));
  const [isSending, setIsSending] = useState(false);
  const isEmpty = text.trim() === '' && !mayBeEmpty;
  const send = async (submitText = onSubmit): Promise<void> => {
    if (isEmpty || isSending) return;
    setIsSending(true);
    // A fault is told by the change itself; what was typed stays.
    const isSent = await submitText(withMentions(text.trim(), people.current)).then(
      () => true,
      () => false,
    );
    if (isSent) setText('');
    setIsSending(false);
  };
  return (
    <form action={() => void send()}>
      <Stack gap="xs">
        <MentionArea
          label={label}
          text={text}
          autoFocus={autoFocus}
          onChange={setText}
          onMention={({ displayName, urls }) => people.current.set(displayName, urls.location)}
          onSend={() => void send()}
          onEscape={onCancel}
        />
        {props.children}
        <Group gap="xs">
          <Button type="submit" size="sm" loading={isSending} disabled={isEmpty}>
            {submit}
          </Button>
          {props.second && (
            <Button size="sm" variant="default" disabled={isSending} onClick={() => void send(props.second?.onSubmit)}>
              {props.second.label}
            </Button>
          )}
          {props.buttons}
          {onCancel && (
            <Button size="sm" variant="default" onClick={onCancel}>
              {texts.common.cancel}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface MentionAreaProps {
  readonly label: string;
  readonly text: string;
  readonly autoFocus: boolean;
  readonly onChange: (text: string) => void;
  readonly onMention: (user: Schemas['UserBody']) => void;
  readonly onSend: () => void;
  readonly onEscape: (() => void) | undefined;
}

function MentionArea({ label, text, autoFocus, onChange, onMention, onSend, onEscape }: MentionAreaProps): ReactNode {
  const area = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<ReturnType<typeof typedName>>();
  const moveTo = useRef<number>(undefined);
  const users = useUsers(typed?.name);
  const isOpen = typed !== undefined && users.length > 0;
  const people = useCombobox({ opened: isOpen });
  useLayoutEffect(() => {
    if (moveTo.current === undefined) return;
    area.current?.setSelectionRange(moveTo.current, moveTo.current);
    moveTo.current = undefined;
  }, [text]);
  useEffect(() => {
    if (isOpen) people.selectFirstOption();
  }, [isOpen, people, typed]);
  const pick = (id: string): void => {
    const user = users.find((each) => each.id === id);
    if (!typed || !user) return;
    const next = mention(text, area.current?.selectionStart ?? text.length, typed.from, user);
    moveTo.current = next.caret;
    onMention(user);
    onChange(next.text);
    setTyped(undefined);
    area.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend();
    else if (key === 'Tab' && isOpen) people.clickSelectedOption();
    else if (key === 'Escape' && isOpen) setTyped(undefined);
    else if (key === 'Escape' && onEscape) onEscape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Combobox store={people} withinPortal={false} position="bottom-start" onOptionSubmit={pick}>
      <Combobox.Target withKeyboardNavigation={isOpen}>
        <Textarea
          ref={area}
          label={label}
          description={words.hint}
          autosize
          minRows={3}
          maxRows={14}
          // A form is opened by a press: the field is what was asked for, in dialogs as well.
          autoFocus={autoFocus}
          data-autofocus={autoFocus || undefined}
          value={text}
          onChange={({ currentTarget: { value, selectionStart } }) => {
            onChange(value);
            setTyped(typedName(value, selectionStart));
          }}
          onBlur={() => setTyped(undefined)}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={words.people}>
          {users.map(({ id, displayName }) => (
            <Combobox.Option key={id} value={id}>
              {displayName}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The members whose names fit what was typed after `@`. */
function useUsers(name: string | undefined): readonly Schemas['UserBody'][] {
  const { organizationId } = usePlace();
  const [search] = useDebouncedValue(name ?? '', TYPING_MS);
  const { data } = useQuery({
    ...membersQuery(organizationId, search),
    enabled: name !== undefined,
    placeholderData: keepPreviousData,
  });
  const wanted = (name ?? '').trimEnd().toLowerCase();
  return (data?.items ?? [])
    .map(({ user }) => user)
    .filter(({ displayName }) => displayName.toLowerCase().includes(wanted) && displayName.toLowerCase() !== wanted)
    .slice(0, MOST_SHOWN);
}
