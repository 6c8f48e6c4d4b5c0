// Owns: the length of the longest common subsequence of two strings, 32 characters at a time.
// Must not know: lines, what similarity is good for.

const ASCII = 128;

/**
 * A string made ready to be compared with many others: bit-parallel after Hyyrö (2004). `lengthIn`
 * takes one step for each character of the text and each 32 characters of the pattern.
 */
export class LcsPattern {
  readonly length: number;
  /** 32-bit words that hold one bit for each character of the pattern. */
  readonly words: number;
  /** For each ASCII character, where it stands in the pattern. */
  readonly #ascii: Int32Array;
  readonly #others = new Map<number, Int32Array>();
  readonly #state: Int32Array;

  constructor(pattern: string) {
    this.length = pattern.length;
    this.words = Math.ceil(pattern.length / 32);
    this.#ascii = new Int32Array(ASCII * this.words);
    this.#state = new Int32Array(this.words);
    for (let index = 0; index < pattern.length; index++) {
      const masks = this.#masksOf(pattern.charCodeAt(index));
      const word = index >>> 5;
      masks[word] = (masks[word] ?? 0) | (1 << (index & 31));
    }
  }

  /** Common subsequence of the pattern and `text` from `start` to `end`, in UTF-16 units. */
  lengthIn(text: string, start: number, end: number): number {
    const state = this.#state.fill(-1);
    const ascii = this.#ascii;
    const words = this.words;
    for (let index = start; index < end; index++) {
      const unit = text.charCodeAt(index);
      const masks = unit < ASCII ? ascii : this.#others.get(unit);
      if (masks === undefined) continue;
      const offset = unit < ASCII ? unit * words : 0;
      let carry = 0;
      for (let word = 0; word < words; word++) {
        const bits = state[word] ?? 0;
        const matched = bits & (masks[offset + word] ?? 0);
        const sum = (bits + matched + carry) | 0;
        state[word] = sum | (bits & ~matched);
        // What a 32-bit addition carries out, without leaving 32 bits.
        carry = ((bits & matched) | ((bits | matched) & ~sum)) >>> 31;
      }
    }
    return state.reduce((zeros, bits) => zeros + countBits(~bits), 0);
  }

  #masksOf(unit: number): Int32Array {
    if (unit < ASCII) return this.#ascii.subarray(unit * this.words, (unit + 1) * this.words);
    const masks = this.#others.get(unit) ?? new Int32Array(this.words);
    this.#others.set(unit, masks);
    return masks;
  }
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
