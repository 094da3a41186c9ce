import type { Canvas } from './canvas.js';
import type { Strip, Strips } from './strip.js';

/** The source of sheets. */
export interface SheetSource {
  readonly canvas: Canvas;
  /** Begins a sheet; waits until the output has room for it. */
  next(): Promise<void>;
  /** Sends painted output periodically. */
  turn(): Promise<void>;
}

/** The content area of a sheet. */
export interface ContentArea {
  readonly left: number;
  readonly top: number;
  readonly height: number;
}

/** Maximum length of a group of strips that stay together, as a part of a sheet. */
const LARGEST_GROUP = 0.6;

/** Places strips on sheets, one below another. */
export class Sheets {
  private y = Number.POSITIVE_INFINITY;

  constructor(
    private readonly source: SheetSource,
    private readonly frame: ContentArea,
  ) {}

  /** Puts the next strip on a new sheet. */
  async begin(): Promise<void> {
    await this.source.next();
    this.y = 0;
  }

  async place(strips: Strips): Promise<void> {
    let group: Strip[] = [];
    let height = 0;
    for (const strip of strips) {
      group.push(strip);
      height += strip.height;
      if (strip.keep && height < this.frame.height * LARGEST_GROUP) continue;
      await this.placeGroup(group, height);
      group = [];
      height = 0;
    }
    await this.placeGroup(group, height);
  }

  private async placeGroup(group: readonly Strip[], height: number): Promise<void> {
    const [first] = group;
    if (!first) return;
    if (this.y > 0 && this.y + height > this.frame.height + 0.01 && !first.isGap) await this.begin();
    for (const strip of group) await this.placeStrip(strip);
  }

  private async placeStrip(strip: Strip): Promise<void> {
    if (this.y > 0 && this.y + strip.height > this.frame.height + 0.01) await this.begin();
    if (this.y === 0) {
      if (strip.isGap) return;
      if (strip.heading && strip.heading.height + strip.height <= this.frame.height) await this.paint(strip.heading);
    }
    await this.paint(strip);
    await this.source.turn();
  }

  private async paint(strip: Strip): Promise<void> {
    await strip.paint(this.source.canvas, this.frame.left, this.frame.top + this.y);
    this.y += strip.height;
  }
}
