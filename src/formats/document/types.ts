/**
 * The document model: the structure of a page, a reusable content or a comment. The shapes are those of the public
 * interface (35 block, 9 inline and 8 mark types), plus `updates`, `update` and `prompt` of its newer version. Our own
 * additions are marked as such; all of them are optional.
 */

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

export type ContentRef =
  | { kind: 'file'; file: string; space?: string }
  | { kind: 'url'; url: string }
  | { kind: 'page'; page: string; space?: string }
  | { kind: 'anchor'; anchor: string; space?: string; page?: string }
  | { kind: 'user'; user: string }
  | { kind: 'collection'; collection: string }
  | { kind: 'space'; space: string }
  | { kind: 'reusable-content'; reusableContent: string; space?: string }
  | { kind: 'openapi'; spec: string }
  | { kind: 'tag'; tag: string; space?: string }
  | { kind: 'translation'; translation: string };

export type ContentRefKind = ContentRef['kind'];

/** An image must be a file of the space or have an address. */
export type FileOrUrlRef = Extract<ContentRef, { kind: 'file' | 'url' }>;

export type Color =
  | 'default'
  | 'green'
  | 'blue'
  | 'red'
  | 'orange'
  | 'yellow'
  | 'purple'
  | 'pink'
  | 'violet'
  | 'cyan'
  | '$tint'
  | '$primary'
  | '$info'
  | '$success'
  | '$warning'
  | '$danger';

export type SimpleMarkType = 'bold' | 'italic' | 'code' | 'keyboard' | 'strikethrough' | 'superscript' | 'subscript';

export type Mark =
  | { object: 'mark'; type: SimpleMarkType }
  | { object: 'mark'; type: 'color'; data: { text: Color; background: Color } };

export interface Leaf {
  object: 'leaf';
  text: string;
  marks: Mark[];
}

export interface TextNode {
  object: 'text';
  key?: string;
  leaves: Leaf[];
}

/** A number is in pixels. */
export type Length = number | { unit: string; value: number };
export type TextAlignment = 'start' | 'center' | 'end';
export type VerticalAlignment = 'top' | 'middle' | 'bottom';
export type HintStyle = 'info' | 'warning' | 'danger' | 'success';
type Empty = Record<string, never>;

/** `level` is ours: headings 4 to 6 are `heading-3` with their level, so that nothing is lost. */
export interface HeadingData {
  id?: string;
  align?: TextAlignment;
  level?: 4 | 5 | 6;
}

/** `attributes` is ours: HTML attributes that the model has no field for. */
export interface ImageData {
  ref: FileOrUrlRef;
  refDark?: FileOrUrlRef;
  width?: Length;
  height?: Length;
  alt?: string;
  attributes?: Record<string, string>;
}

/** `meta` is ours: the part of a fence's info string after the language. */
export interface CodeData {
  syntax?: string;
  title?: string;
  overflow?: 'scroll' | 'wrap';
  lineNumbers?: boolean;
  fullWidth?: boolean;
  expandable?: boolean;
  collapsedLineCount?: number;
  meta?: string;
}

export interface TableDefinitionBase {
  id: string;
  title: string;
}

export interface TableSelectOption {
  value: string;
  label: string;
  color: string;
}

export type TableDefinition = TableDefinitionBase &
  (
    | { type: 'text'; textAlignment: 'left' | 'center' | 'right'; verticalAlignment?: VerticalAlignment }
    | { type: 'number' | 'checkbox' | 'files' | 'content-ref' | 'image' }
    | { type: 'users'; multiple: boolean }
    | { type: 'rating'; max: number }
    | { type: 'select'; multiple: boolean; options: TableSelectOption[] }
  );

export type ImageObjectFit = 'contain' | 'fill' | 'cover';

export type TableValue =
  | number
  | string
  | boolean
  | null
  | string[]
  | ContentRef
  | { ref: FileOrUrlRef; objectFit?: ImageObjectFit; alt?: string };

/** `values` by definition id; a text cell contains the name of the fragment with its content. */
export interface TableRecord {
  orderIndex: string;
  values: Record<string, TableValue>;
}

export interface GridView {
  type: 'grid';
  columns: string[];
  columnWidths?: Record<string, number>;
  hideHeader: boolean;
  useNewSizing?: boolean;
  stickyHeader?: boolean;
  stickyFirstColumn?: boolean;
}

export interface CardsView {
  type: 'cards';
  cardSize: 'medium' | 'large';
  columns: string[];
  targetDefinition?: string;
  coverDefinition?: string;
  coverDefinitionDark?: string;
  hideColumnTitle?: boolean;
  wrap?: boolean;
}

/** A text column whose title is more than plain text stores it in the fragment `title:<definition id>`. */
export interface TableData {
  view: GridView | CardsView;
  records: Record<string, TableRecord>;
  definition: Record<string, TableDefinition>;
  fullWidth?: boolean;
  search?: boolean;
}

/** `link` is ours: the line of text between the tags. */
export interface OpenApiExtras {
  fullWidth?: boolean;
  link?: { title: string; url: string };
}

export interface BlockData {
  paragraph: { align?: TextAlignment };
  'heading-1': HeadingData;
  'heading-2': HeadingData;
  'heading-3': HeadingData;
  'list-ordered': { start?: number };
  'list-unordered': Empty;
  'list-tasks': Empty;
  'list-item': { checked?: boolean };
  divider: Empty;
  blockquote: Empty;
  hint: { style: HintStyle; icon?: string };
  if: { expression: string };
  images: { align?: 'center' | 'left' | 'right'; fullWidth?: boolean; withFrame?: boolean };
  image: ImageData;
  file: { ref: Extract<ContentRef, { kind: 'file' }> };
  drawing: { ref?: Extract<ContentRef, { kind: 'file' }> };
  embed: { url: string; fullWidth?: boolean };
  code: CodeData;
  'code-line': { highlighted?: boolean };
  math: { formula: string };
  expandable: { defaultExpanded?: boolean };
  tabs: { fullWidth?: boolean };
  'tabs-item': { title?: string; icon?: string; slug?: string };
  table: TableData;
  swagger: OpenApiExtras & { ref: FileOrUrlRef; path: string; method: string; expanded?: boolean };
  'openapi-operation': OpenApiExtras & { ref: Extract<ContentRef, { kind: 'openapi' }>; path: string; method: string };
  'openapi-schemas': OpenApiExtras & {
    ref: Extract<ContentRef, { kind: 'openapi' }>;
    schemas: string[];
    grouped?: boolean;
  };
  'openapi-webhook': OpenApiExtras & { ref: Extract<ContentRef, { kind: 'openapi' }>; name: string; method: string };
  'content-ref': { ref: ContentRef };
  integration: {
    integration: string;
    block: string;
    props: Record<string, JsonValue>;
    action?: JsonValue;
    url?: string;
    fullWidth?: boolean;
  };
  'reusable-content': { ref: Extract<ContentRef, { kind: 'reusable-content' }> };
  stepper: Empty;
  'stepper-step': { icon?: string };
  columns: { fullWidth?: boolean };
  column: { width?: Length; verticalAlignment?: VerticalAlignment };
  updates: { format?: 'numeric' | 'full' | 'short' };
  update: { date: string; tags?: Extract<ContentRef, { kind: 'tag' }>[] };
  prompt: {
    description: string;
    icon?: string;
    openInAIProviders?: boolean;
    defaultExpanded?: 'hidden' | 'partial' | 'full';
  };
}

export type BlockType = keyof BlockData;

/** `raw` is ours: an invisible HTML tag or comment, stored with an expression without content. */
export interface InlineData {
  /** `title` and `attributes` are ours: properties of a link in Markdown or HTML besides its target. */
  link: { ref: ContentRef; title?: string; attributes?: Record<string, string> };
  emoji: { code: string };
  icon: { icon: string; color?: Color };
  expression: { expression: string; raw?: string };
  'inline-math': { formula: string };
  'inline-image': {
    ref: FileOrUrlRef;
    refDark?: FileOrUrlRef;
    caption?: string;
    alt?: string;
    size?: 'original' | 'line';
    attributes?: Record<string, string>;
  };
  annotation: Empty;
  /** `text` is ours: the words in the source, if they are not the target itself. */
  mention: { ref: ContentRef; text?: string };
  button: {
    label: string;
    kind: 'primary' | 'secondary';
    icon?: string;
    ref?: ContentRef;
    size?: 'small' | 'medium' | 'large';
    action?: { action: 'search' | 'ask'; query?: string };
  };
}

export type InlineType = keyof InlineData;

export interface Fragment {
  object: 'fragment';
  key?: string;
  fragment?: string;
  type?: string;
  nodes: Block[];
}

export type Block<T extends BlockType = BlockType> = T extends BlockType
  ? {
      object: 'block';
      type: T;
      key?: string;
      isVoid: boolean;
      data: BlockData[T];
      nodes?: Node[];
      fragments?: Fragment[];
      meta?: Record<string, JsonValue>;
    }
  : never;

export type Inline<T extends InlineType = InlineType> = T extends InlineType
  ? {
      object: 'inline';
      type: T;
      key?: string;
      isVoid: boolean;
      data: InlineData[T];
      nodes?: Node[];
      fragments?: Fragment[];
    }
  : never;

export type Node = Block | Inline | TextNode;

/**
 * `heading` and `frontmatter` are ours, written by the Markdown reader: the page's own first heading if it has more
 * content than the title can hold (used while the page still has that title), and frontmatter without a field of the
 * page.
 */
export interface DocumentData {
  schemaVersion?: number;
  heading?: { title: string; nodes: Node[]; id?: string };
  frontmatter?: Record<string, JsonValue>;
  [key: string]: unknown;
}

export interface Document {
  object: 'document';
  data: DocumentData;
  nodes: Block[];
}

export const SCHEMA_VERSION = 8;

/** The syntax of a `code` block with unsupported Markdown; exported without a fence. */
export const RAW_SYNTAX = 'gitbook-raw';
