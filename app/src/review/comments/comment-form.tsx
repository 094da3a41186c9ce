import { Button, Combobox, Group, Stack, Textarea, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Schemas } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { usePlace } from '../../writing/place.js';
import { membersQuery } from '../queries.js';
import { mention, shownMentions, typedName, withMentions } from './mentions.js';

const words = texts.review.comments;
const TYPING_MS = 150;
const MOST_SHOWN = 6;

type Submit = (markdown: string) => Promise<unknown>;

interface CommentFormProps {
  readonly label: string;
  readonly submit: string;
  /** The Markdown to begin with. */
  readonly initial?: string;
  readonly autoFocus?: boolean;
  /** Whether it can be sent without a word. */
  readonly mayBeEmpty?: boolean;
  /** Whether people are told that they are mentioned. */
  readonly mentions?: boolean;
  readonly onSubmit: Submit;
  readonly onCancel?: (() => void) | undefined;
  /** Further fields below the text. */
  readonly children?: ReactNode;
  /** Further buttons. */
  readonly buttons?: ReactNode;
  /** Another way to send the text. */
  readonly second?: { readonly label: string; readonly onSubmit: Submit } | undefined;
}

/** A comment being written: Markdown, with people that are mentioned by `@`. Ctrl+Enter sends it. */
export function CommentForm(props: CommentFormProps): ReactNode {
  const { label, submit, initial = '', autoFocus = false, mayBeEmpty = false, mentions = true } = props;
  const { onSubmit, onCancel, second } = props;
  const [begun] = useState(() => shownMentions(initial));
  const [text, setText] = useState(begun.text);
  const people = useRef(new Map(begun.people));
  const isEmpty = text.trim() === '' && !mayBeEmpty;
  const { mutate, isPending } = useMutation({
    // A fault is told by the change itself; what was typed stays.
    meta: { handlesErrors: true },
    mutationFn: (submitText: Submit) => submitText(withMentions(text.trim(), people.current)),
    onSuccess: () => setText(''),
  });
  const send = (submitText = onSubmit): void => {
    if (!isEmpty && !isPending) mutate(submitText);
  };
  return (
    <form action={() => send()}>
      <Stack gap="xs">
        <MentionArea
          {...{ label, text, autoFocus, mentions }}
          onChange={setText}
          onMention={({ displayName, urls }) => people.current.set(displayName, urls.location)}
          onSend={() => send()}
          onEscape={onCancel}
        />
        {props.children}
        <Group gap="xs">
          <Button type="submit" size="sm" loading={isPending} disabled={isEmpty}>
            {submit}
          </Button>
          {second && (
            <Button size="sm" variant="default" disabled={isPending} onClick={() => send(second.onSubmit)}>
              {second.label}
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

interface MentionAreaProps extends Required<Pick<CommentFormProps, 'label' | 'autoFocus' | 'mentions'>> {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onMention: (user: Schemas['UserBody']) => void;
  readonly onSend: () => void;
  readonly onEscape: (() => void) | undefined;
}

function MentionArea({ label, autoFocus, mentions, text, ...on }: MentionAreaProps): ReactNode {
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
    on.onMention(user);
    on.onChange(next.text);
    setTyped(undefined);
    area.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) on.onSend();
    else if (key === 'Tab' && isOpen) people.clickSelectedOption();
    else if (key === 'Escape' && isOpen) setTyped(undefined);
    else if (key === 'Escape' && on.onEscape) on.onEscape();
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
          description={mentions ? words.hint : words.markdown}
          autosize
          minRows={3}
          maxRows={14}
          // A form is opened by a press: the field is what was asked for, in dialogs as well.
          autoFocus={autoFocus}
          data-autofocus={autoFocus || undefined}
          value={text}
          onChange={({ currentTarget: { value, selectionStart } }) => {
            on.onChange(value);
            setTyped(mentions ? typedName(value, selectionStart) : undefined);
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
