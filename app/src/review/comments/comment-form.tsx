import { Box, Button, Group, Paper, Stack, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
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

function MentionArea({
  label,
  text,
  autoFocus,
  onChange,
  onMention,
  onSend,
  onEscape,
}: Readonly<{
  label: string;
  text: string;
  autoFocus: boolean;
  onChange: (text: string) => void;
  onMention: (user: Schemas['UserBody']) => void;
  onSend: () => void;
  onEscape: (() => void) | undefined;
}>): ReactNode {
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const [typed, setTyped] = useState<ReturnType<typeof typedName>>();
  const [active, setActive] = useState(0);
  const moveTo = useRef<number>(undefined);
  const users = useUsers(typed?.name);
  const isOpen = typed !== undefined && users.length > 0;
  useLayoutEffect(() => {
    if (moveTo.current === undefined) return;
    area.current?.setSelectionRange(moveTo.current, moveTo.current);
    moveTo.current = undefined;
  }, [text]);
  const pick = (user: Schemas['UserBody']): void => {
    if (!typed) return;
    const next = mention(text, area.current?.selectionStart ?? text.length, typed.from, user);
    moveTo.current = next.caret;
    onMention(user);
    onChange(next.text);
    setTyped(undefined);
    area.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSend();
      return;
    }
    if (key === 'Escape' && (isOpen || onEscape)) {
      event.stopPropagation();
      if (isOpen) setTyped(undefined);
      else onEscape?.();
    }
    if (!isOpen) return;
    const chosen = users[active];
    if (key === 'ArrowDown' || key === 'ArrowUp')
      setActive((active + (key === 'ArrowDown' ? 1 : users.length - 1)) % users.length);
    else if ((key === 'Enter' || key === 'Tab') && chosen) pick(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Box pos="relative">
      <Textarea
        ref={area}
        label={label}
        description={words.hint}
        autosize
        minRows={3}
        maxRows={14}
        // A form is opened by a press: the field is what was asked for.
        autoFocus={autoFocus}
        value={text}
        aria-controls={list}
        aria-autocomplete="list"
        {...(isOpen && { 'aria-activedescendant': `${list}-${active}` })}
        onChange={({ currentTarget: { value, selectionStart } }) => {
          onChange(value);
          setTyped(typedName(value, selectionStart));
          setActive(0);
        }}
        onBlur={() => setTyped(undefined)}
        onKeyDown={onKeyDown}
      />
      <Paper
        withBorder
        shadow="md"
        id={list}
        role="listbox"
        aria-label={words.people}
        hidden={!isOpen}
        className="mention-list"
      >
        {isOpen &&
          users.map((user, index) => (
            <div
              key={user.id}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === active}
              onMouseDown={(event) => {
                event.preventDefault();
                pick(user);
              }}
            >
              {user.displayName}
            </div>
          ))}
      </Paper>
    </Box>
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
