import { matrix, rowOf, type Matrix } from '../domain/dense.js';
import type { LatentSpace } from '../domain/latent.js';
import type { PrincipalAxes } from '../domain/principal.js';
import type { Representation } from '../domain/representation.js';

/** The data of a rebuild for placing issues until the next one. */
export interface Model {
  /**
   * The source of sentence vectors: `none`, `built-in`, or the name of a service; vectors of different sources cannot
   * be compared.
   */
  readonly source: string;
  /** The language of most issues. */
  readonly language: string;
  readonly representation: Representation;
  /** The positions of the issues of the rebuild, and the number of the cluster of each, -1 without one. */
  readonly members: Matrix;
  readonly clusters: Int32Array;
}

/** The part of a model that can be read without the rest. */
export interface ModelHead {
  readonly source: string;
  /** Ids of clusters by number; null until a new one has its id. */
  readonly ids: readonly (string | null)[];
}

const MAGIC = 0x31435442;

interface Body {
  readonly language: string;
  readonly terms: readonly string[];
  readonly pieces: readonly string[];
  readonly sections: readonly {
    readonly name: string;
    readonly rows: number;
    readonly columns: number;
    readonly isWhole: boolean;
  }[];
}

/** Encodes a model as bytes: a head, a description, and numbers, those of large parts in one byte each. */
export function encodeModel(ids: readonly (string | null)[], model: Model): Uint8Array {
  const { terms, pieces, words, sentences, whole } = model.representation;
  const parts: (readonly [name: string, rows: Matrix, isWhole: boolean])[] = [
    ['termWeights', asRow(terms.weights), true],
    ['termPlaces', terms.places, false],
    ['pieceWeights', asRow(pieces.weights), true],
    ['piecePlaces', pieces.places, false],
    ...axesParts('words', words),
    ...axesParts('sentences', sentences),
    ...axesParts('whole', whole),
    ['members', model.members, false],
    ['clusters', asRow(Float32Array.from(model.clusters)), true],
  ];
  const body: Body = {
    language: model.language,
    terms: terms.terms,
    pieces: pieces.terms,
    sections: parts.map(([name, { rows, columns }, isWhole]) => ({ name, rows, columns, isWhole })),
  };
  const bytes = Buffer.concat([
    block(body),
    ...parts.map(([, rows, isWhole]) => (isWhole ? bytesOf(rows.data) : quantized(rows))),
  ]);
  return withHead({ source: model.source, ids }, bytes);
}

export function headOf(bytes: Uint8Array): ModelHead {
  return JSON.parse(blockAt(bytes, 4).toString()) as ModelHead;
}

/** Adds the ids of new clusters to a model, in order. */
export function withIds(bytes: Uint8Array, newIds: readonly string[]): Uint8Array {
  const head = headOf(bytes);
  const open = [...newIds];
  return withHead(
    { source: head.source, ids: head.ids.map((id) => id ?? open.shift() ?? null) },
    bytes.subarray(8 + blockAt(bytes, 4).length),
  );
}

/** Throws for bytes that are not a model, or one of another version. */
export function decodeModel(bytes: Uint8Array): Model & ModelHead {
  if (bytes.length < 12 || Buffer.from(bytes.buffer, bytes.byteOffset).readUInt32LE(0) !== MAGIC)
    throw new Error('the model of the clusters is of another version');
  const head = headOf(bytes);
  const bodyAt = 8 + blockAt(bytes, 4).length;
  const bodyBlock = blockAt(bytes, bodyAt);
  const body = JSON.parse(bodyBlock.toString()) as Body;
  let at = bodyAt + 4 + bodyBlock.length;
  const found = new Map<string, Matrix>();
  for (const { name, rows, columns, isWhole } of body.sections) {
    const size = rows * columns * (isWhole ? 4 : 1) + (isWhole ? 0 : rows * 4);
    const part = bytes.slice(at, at + size);
    found.set(
      name,
      isWhole
        ? matrix(rows, columns, new Float32Array(part.buffer, part.byteOffset, rows * columns))
        : unquantized(part, rows, columns),
    );
    at += size;
  }
  const named = (name: string): Matrix => found.get(name) ?? matrix(0, 0);
  const space = (name: 'term' | 'piece', terms: readonly string[]): LatentSpace => ({
    terms,
    weights: named(`${name}Weights`).data,
    places: named(`${name}Places`),
  });
  const axes = (name: string): PrincipalAxes => ({ mean: named(`${name}Mean`).data, axes: named(`${name}Axes`) });
  const representation: Representation = {
    terms: space('term', body.terms),
    pieces: space('piece', body.pieces),
    ...(found.has('wordsMean') && { words: axes('words') }),
    ...(found.has('sentencesMean') && { sentences: axes('sentences') }),
    whole: axes('whole'),
  };
  return {
    ...head,
    language: body.language,
    representation,
    members: named('members'),
    clusters: Int32Array.from(named('clusters').data),
  };
}

function axesParts(name: string, axes: PrincipalAxes | undefined): [string, Matrix, boolean][] {
  return axes
    ? [
        [`${name}Mean`, asRow(axes.mean), true],
        [`${name}Axes`, axes.axes, true],
      ]
    : [];
}

function asRow(data: Float32Array): Matrix {
  return matrix(1, data.length, data);
}

function withHead(head: ModelHead, rest: Uint8Array): Uint8Array {
  const magic = Buffer.alloc(4);
  magic.writeUInt32LE(MAGIC);
  return Buffer.concat([magic, block(head), rest]);
}

/** JSON, preceded by its length. */
function block(content: object): Buffer {
  const text = Buffer.from(JSON.stringify(content));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
}

function blockAt(bytes: Uint8Array, at: number): Buffer {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return all.subarray(at + 4, at + 4 + all.readUInt32LE(at));
}

function bytesOf(numbers: Float32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Each row as its scale and one byte for each number. */
function quantized(all: Matrix): Uint8Array {
  const scales = new Float32Array(all.rows);
  const values = new Int8Array(all.rows * all.columns);
  for (let row = 0; row < all.rows; row++) {
    const own = rowOf(all, row);
    const scale = own.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / 127 || 1;
    scales[row] = scale;
    values.set(
      own.map((value) => Math.round(value / scale)),
      row * all.columns,
    );
  }
  return Buffer.concat([bytesOf(scales), new Uint8Array(values.buffer)]);
}

function unquantized(bytes: Uint8Array, rows: number, columns: number): Matrix {
  const scales = new Float32Array(bytes.buffer, bytes.byteOffset, rows);
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + rows * 4, rows * columns);
  const all = matrix(rows, columns);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      all.data[row * columns + column] = (values[row * columns + column] ?? 0) * (scales[row] ?? 0);
  return all;
}
