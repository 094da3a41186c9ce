import { Card, ColorInput, Fieldset, Group, MultiSelect, Select, Stack, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { spacesQuery } from '../../people/queries.js';
import { fontsQuery, type Font } from '../../settings/fonts/queries.js';
import { siteTexts } from '../../texts/sites.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { FlagField, TextField } from '../../ui/forms.js';
import { valueAt, withValue, type Shape, type Value } from './fields.js';

const words = siteTexts.look;
const NONE = '';
const CUSTOM = 'custom';

/** The words for a name of the interface: those of the texts, else the name itself in parts. */
export function nameOf(name: string): string {
  const known = (words.names as Readonly<Record<string, string>>)[name];
  const parts = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('-', ' ')
    .toLowerCase();
  return known ?? parts.charAt(0).toUpperCase() + parts.slice(1);
}

export interface FieldInputProps {
  readonly label: string;
  readonly shape: Shape;
  /** The path of the value, at which the server names its faults. */
  readonly path: string;
  readonly value: unknown;
  readonly isOptional?: boolean;
  readonly onChange: (value: unknown) => void;
  readonly faultAt: (path: string) => string | undefined;
}

/** The field of a value of the look, by its shape. */
export function FieldInput(props: FieldInputProps) {
  const { label, shape, path, value, isOptional = false, onChange, faultAt } = props;
  const common = { label, error: faultAt(path) };
  const text = typeof value === 'string' ? value : '';
  const onText = (next: string): void => onChange(next === '' && isOptional ? undefined : next);
  switch (shape.kind) {
    case 'flag':
      return <FlagField {...common} checked={value === true} onFlag={onChange} />;
    case 'text':
      return <TextField {...common} maxLength={shape.most} value={text} onText={onText} dir="auto" />;
    case 'url':
      return <TextField {...common} inputMode="url" maxLength={2048} value={text} onText={onText} />;
    case 'color':
      return (
        <ColorInput {...common} format="hex" withEyeDropper={false} fixOnBlur={false} value={text} onChange={onText} />
      );
    case 'choice':
      return (
        <Select
          {...common}
          searchable={shape.values.length > 12}
          clearable={isOptional}
          data={shape.values.map((each) => ({ value: each, label: nameOf(each) }))}
          value={text === '' ? null : text}
          onChange={(next) => onChange(next ?? undefined)}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          {...common}
          description={words.inOrder}
          data={shape.values.map((each) => ({ value: each, label: nameOf(each) }))}
          value={Array.isArray(value) ? (value as string[]) : []}
          onChange={onChange}
        />
      );
    case 'texts':
      return (
        <TagsInput
          {...common}
          description={words.enterEach}
          maxTags={shape.most}
          value={Array.isArray(value) ? (value as string[]) : []}
          onChange={(all) => onChange(all.length === 0 ? undefined : all)}
        />
      );
    case 'font':
      return <FontInput {...common} values={shape.values} value={value} onChange={onChange} />;
    case 'favicon':
      return <FaviconInput {...props} />;
    case 'target':
      return <TargetInput {...props} />;
    case 'object':
      return <ObjectInput {...props} shape={shape} />;
    case 'list':
      return <ListInput {...props} shape={shape} />;
  }
}

type ShapeOf<Kind extends Shape['kind']> = Extract<Shape, { kind: Kind }>;

/** Values that belong together; a switch adds and removes those that may be absent. */
function ObjectInput({ shape, ...props }: FieldInputProps & Readonly<{ shape: ShapeOf<'object'> }>) {
  const { label, value, path, isOptional = false, onChange, faultAt } = props;
  const isThere = typeof value === 'object' && value !== null;
  const isPair = Object.keys(shape.of).every((name) => name === 'light' || name === 'dark');
  const present = isThere ? (value as Value) : shape.empty;
  const fields = Object.entries(shape.of).map(([name, of]) => (
    <FieldInput
      key={name}
      label={nameOf(name)}
      shape={of}
      path={`${path}.${name}`}
      value={present[name]}
      isOptional={!(name in shape.empty)}
      onChange={(next) => onChange(withValue(present, name, next))}
      faultAt={faultAt}
    />
  ));
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        {isOptional && (
          <FlagField
            label={words.own(label)}
            checked={isThere}
            error={faultAt(path)}
            onFlag={(isOn) => onChange(isOn ? shape.empty : undefined)}
          />
        )}
        {(isThere || !isOptional) &&
          (isPair ? (
            <Group grow align="flex-start">
              {fields}
            </Group>
          ) : (
            fields
          ))}
      </Stack>
    </Fieldset>
  );
}

function ListInput({ shape, ...props }: FieldInputProps & Readonly<{ shape: ShapeOf<'list'> }>) {
  const { label, value, path, onChange, faultAt } = props;
  const items = Array.isArray(value) ? (value as readonly Value[]) : [];
  const replaced = (index: number, ...by: readonly Value[]) => items.toSpliced(index, 1, ...by);
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        {items.map((item, index) => (
          <Card key={index} withBorder padding="sm" role="group" aria-label={words.itemOf(label, index + 1)}>
            <Stack gap="sm">
              {Object.entries(shape.of).map(([name, of]) => (
                <FieldInput
                  key={name}
                  label={nameOf(name)}
                  shape={of}
                  path={`${path}.${index}.${name}`}
                  value={item[name]}
                  isOptional={!(name in shape.empty)}
                  onChange={(next) => onChange(replaced(index, withValue(item, name, next)))}
                  faultAt={faultAt}
                />
              ))}
              <Group gap="xs">
                {index > 0 && (
                  <SecondaryButton
                    size="xs"
                    label={words.up}
                    aria-label={words.upOne(label, index + 1)}
                    onClick={() => onChange(replaced(index).toSpliced(index - 1, 0, item))}
                  />
                )}
                <SecondaryButton
                  size="xs"
                  label={words.remove}
                  aria-label={words.removeOne(label, index + 1)}
                  onClick={() => onChange(replaced(index))}
                />
              </Group>
            </Stack>
          </Card>
        ))}
        <Group>
          <SecondaryButton
            size="xs"
            label={words.addTo}
            aria-label={words.addToOne(label)}
            disabled={items.length >= shape.most}
            onClick={() => onChange([...items, shape.empty])}
          />
        </Group>
      </Stack>
    </Fieldset>
  );
}

interface FontInputProps {
  readonly label: string;
  readonly error: string | undefined;
  readonly values: readonly string[];
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A font by its name, or one of the organization; one that is defined otherwise is kept until another is chosen. */
function FontInput({ values, value, onChange, ...common }: FontInputProps) {
  const { organizationId = '' } = useParams({ strict: false });
  // Those who set up the site without seeing the fonts of the organization choose among the others.
  const { data: fonts = [] } = useQuery({ ...fontsQuery(organizationId), retry: false });
  const own = typeof value === 'object' && value !== null ? (value as Value) : undefined;
  const uploaded = fonts.find(({ id }) => id === own?.['id']);
  const choose = (chosen: string): void => {
    const font = fonts.find(({ id }) => `${CUSTOM}:${id}` === chosen);
    onChange(font ? definitionOf(font) : chosen);
  };
  const data = [
    ...fonts.map(({ id, fontFamily }) => ({ value: `${CUSTOM}:${id}`, label: words.ownFont(fontFamily) })),
    ...values.map((each) => ({ value: each, label: each })),
  ];
  return (
    <Select
      {...common}
      searchable
      data={own && !uploaded ? [{ value: CUSTOM, label: words.ownFont(String(own['fontFamily'])) }, ...data] : data}
      value={own ? (uploaded ? `${CUSTOM}:${uploaded.id}` : CUSTOM) : String(value)}
      onChange={(next) => next !== null && next !== CUSTOM && choose(next)}
    />
  );
}

/** A font as the customization of a site holds it. */
function definitionOf({ permissions: _permissions, ...definition }: Font): Omit<Font, 'permissions'> {
  return definition;
}

const ICONS = { light: 'https://', dark: 'https://' };

function FaviconInput({ label, path, value, onChange, faultAt }: FieldInputProps) {
  const { icon, emoji } = (value ?? {}) as Readonly<{ icon?: Value; emoji?: string }>;
  const kind = icon ? 'icon' : emoji === undefined ? NONE : 'emoji';
  return (
    <Fieldset legend={label}>
      <Stack gap="sm">
        <Select
          label={words.faviconKind}
          error={faultAt(path)}
          data={Object.entries(words.favicons).map(([each, name]) => ({
            value: each === 'none' ? NONE : each,
            label: name,
          }))}
          value={kind}
          onChange={(next) => onChange(next === 'icon' ? { icon: ICONS } : next === 'emoji' ? { emoji: '📘' } : {})}
        />
        {emoji !== undefined && (
          <TextField
            label={nameOf('emoji')}
            maxLength={50}
            value={emoji}
            error={faultAt(`${path}.emoji`)}
            onText={(next) => onChange({ emoji: next })}
          />
        )}
        {icon &&
          (['light', 'dark'] as const).map((name) => (
            <TextField
              key={name}
              label={nameOf(name)}
              inputMode="url"
              maxLength={2048}
              value={String(icon[name])}
              error={faultAt(`${path}.icon.${name}`)}
              onText={(next) => onChange({ icon: { ...icon, [name]: next } })}
            />
          ))}
      </Stack>
    </Fieldset>
  );
}

/** The parts of a target, by its kind; those with `?` may be absent. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  url: ['url'],
  page: ['page', 'space?'],
  anchor: ['anchor', 'page?', 'space?'],
  space: ['space'],
  collection: ['collection'],
  file: ['file'],
  user: ['user'],
  'reusable-content': ['reusableContent', 'space?'],
  openapi: ['spec'],
};

/** The target of a link: an address, or something of the organization by its id. */
function TargetInput({ label, path, value, isOptional = false, onChange, faultAt }: FieldInputProps) {
  const { organizationId = '' } = useParams({ strict: false });
  const { data: spaces = [] } = useQuery(spacesQuery(organizationId));
  const kind = valueAt(value, 'kind');
  const parts = typeof kind === 'string' ? (TARGETS[kind] ?? []) : [];
  const none = { value: NONE, label: words.noTarget };
  const kinds = Object.keys(TARGETS).map((each) => ({ value: each, label: nameOf(each) }));
  return (
    <Group align="flex-start" grow preventGrowOverflow={false}>
      <Select
        label={label}
        error={faultAt(path)}
        data={isOptional || value === null ? [none, ...kinds] : kinds}
        value={typeof kind === 'string' ? kind : NONE}
        onChange={(next) =>
          onChange(next === NONE || next === null ? (value === null ? null : undefined) : { kind: next })
        }
      />
      {parts.map((part) => {
        const name = part.replace('?', '');
        const present = valueAt(value, name);
        const change = (next: string | null): void =>
          onChange(withValue(value as Value, name, next === null || next === '' ? undefined : next));
        const common = { label: nameOf(name), error: faultAt(`${path}.${name}`) };
        return name === 'space' ? (
          <Select
            key={name}
            {...common}
            searchable
            clearable={part.endsWith('?')}
            data={spaces.map(({ id, title }) => ({ value: id, label: title }))}
            value={typeof present === 'string' ? present : null}
            onChange={change}
          />
        ) : (
          <TextField
            key={name}
            {...common}
            maxLength={2048}
            value={typeof present === 'string' ? present : ''}
            onText={change}
          />
        );
      })}
    </Group>
  );
}
