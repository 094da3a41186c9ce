import { Card, Group, Select, Stack } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { settingsTexts } from '../../texts/settings.js';
import { Button, IconButton, SecondaryButton } from '../../ui/buttons.js';
import { TextField, useChange, useFieldFaults } from '../../ui/forms.js';
import { Note } from '../../ui/screens.js';
import { texts } from '../../texts/en.js';
import IconDown from '~icons/fa7-solid/arrow-down';
import IconUp from '~icons/fa7-solid/arrow-up';
import IconTrash from '~icons/fa7-regular/trash-can';
import { PeopleField } from './people-field.js';
import {
  draftOf,
  MOST_RULES,
  moved,
  rulesOf,
  takesUsers,
  type MergeRules,
  type RuleDraft,
  type RuleName,
} from './rules.js';
import { RulesTester, type TestRules } from './rules-tester.js';

const words = settingsTexts.rules;
const NAMES = Object.keys(words.names) as readonly RuleName[];

interface RulesFormProps {
  readonly organizationId: string;
  /** Absent for the rules of the organization. */
  readonly spaceId?: string;
  readonly saved: MergeRules;
  readonly types: readonly MergeRules['type'][];
  /** The key of the saved rules. */
  readonly refresh: QueryKey;
  readonly save: (rules: MergeRules) => Promise<unknown>;
  readonly test: TestRules;
}

/** The rules that have to hold before a merge, and a test of them as they stand in the form. */
export function RulesForm({ organizationId, spaceId, saved, types, refresh, save, test }: RulesFormProps) {
  const [type, setType] = useState(saved.type);
  const [drafts, setDrafts] = useState<readonly RuleDraft[]>(() => (saved.rules ?? []).map(draftOf));
  const { at, noting } = useFieldFaults();
  const rules = rulesOf(type, drafts);
  const saving = useChange(
    noting(() => save(rules)),
    { refresh, done: settingsTexts.saved },
  );
  const isSaved = JSON.stringify(rules) === JSON.stringify(rulesOf(saved.type, (saved.rules ?? []).map(draftOf)));
  const set = (index: number, change: Partial<RuleDraft>): void =>
    setDrafts(drafts.map((each, place) => (place === index ? { ...each, ...change } : each)));
  return (
    <Stack>
      <form action={() => saving.mutate()}>
        <Stack>
          <Note>{words.text}</Note>
          <Select
            label={words.type}
            data={types.map((value) => ({ value, label: words.types[value] }))}
            value={type}
            allowDeselect={false}
            onChange={(next) => setType(types.find((each) => each === next) ?? type)}
          />
          {type === 'rules' && (
            <>
              {drafts.map((draft, index) => (
                <OneRule
                  key={draft.key}
                  organizationId={organizationId}
                  draft={draft}
                  number={index + 1}
                  at={(field) => at(`mergeRules.rules.${index}${field === '' ? '' : `.${field}`}`)}
                  onChange={(change) => set(index, change)}
                  onMove={(step) => setDrafts(moved(drafts, index, step))}
                  onRemove={() => setDrafts(drafts.filter((_, place) => place !== index))}
                />
              ))}
              {drafts.length === 0 && <Note>{words.empty}</Note>}
              <Group>
                <SecondaryButton
                  label={words.add}
                  disabled={drafts.length >= MOST_RULES}
                  onClick={() => setDrafts([...drafts, draftOf({ rule: 'require_at_least_one_approved_review' })])}
                />
              </Group>
            </>
          )}
          <Group>
            <Button label={texts.common.save} type="submit" disabled={isSaved} loading={saving.isPending} />
          </Group>
        </Stack>
      </form>
      <RulesTester organizationId={organizationId} spaceId={spaceId} rules={rules} test={test} />
    </Stack>
  );
}

interface OneRuleProps {
  readonly organizationId: string;
  readonly draft: RuleDraft;
  readonly number: number;
  /** The fault of a field of the rule; of the rule itself for ''. */
  readonly at: (field: string) => string | undefined;
  readonly onChange: (change: Partial<RuleDraft>) => void;
  readonly onMove: (step: 1 | -1) => void;
  readonly onRemove: () => void;
}

function OneRule({ organizationId, draft, number, at, onChange, onMove, onRemove }: OneRuleProps) {
  const { rule, users, expression, message } = draft;
  return (
    <Card withBorder component="section" aria-label={words.rule(number)}>
      <Stack gap="sm">
        <Group align="flex-end" wrap="nowrap" gap="xs">
          <Select
            label={words.rule(number)}
            data={NAMES.map((value) => ({ value, label: words.names[value] }))}
            value={rule}
            error={at('rule') ?? at('')}
            allowDeselect={false}
            flex={1}
            miw={0}
            onChange={(next) => onChange({ rule: NAMES.find((each) => each === next) ?? rule })}
          />
          <IconButton variant="default" size="lg" label={words.up(number)} Icon={IconUp} onClick={() => onMove(-1)} />
          <IconButton
            variant="default"
            size="lg"
            label={words.down(number)}
            Icon={IconDown}
            onClick={() => onMove(1)}
          />
          <IconButton variant="default" size="lg" label={words.remove(number)} Icon={IconTrash} onClick={onRemove} />
        </Group>
        {takesUsers(rule) && (
          <PeopleField
            organizationId={organizationId}
            label={words.people}
            value={users}
            error={at('users') ?? users.map((_, place) => at(`users.${place}`)).find((fault) => fault !== undefined)}
            onChange={(next) => onChange({ users: next })}
          />
        )}
        {rule === 'custom' && (
          <>
            <TextField
              label={words.expression}
              description={words.expressionHelp}
              value={expression}
              error={at('expression')}
              maxLength={1024}
              dir="ltr"
              onText={(text) => onChange({ expression: text })}
            />
            <TextField
              label={words.message}
              description={words.messageHelp}
              value={message}
              error={at('message')}
              maxLength={500}
              onText={(text) => onChange({ message: text })}
            />
          </>
        )}
      </Stack>
    </Card>
  );
}
