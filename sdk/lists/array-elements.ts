/** Reads the elements of an array in a JSON document one by one, while the document arrives. */
import { parseJson } from '../json.ts'

const QUOTE = '"'
const ESCAPE = '\\'

/** Depths in `{"name":[{…},{…}]}`: inside the document, inside the array. */
const IN_DOCUMENT = 1
const IN_ARRAY = 2

/** Splits a document that arrives in parts, whose member of a given name is an array of objects. */
export class ArraySplitter {
  readonly #name: string
  /** What has arrived and is still needed, and where in it the next character to read is. */
  #unread = ''
  #at = 0
  #depth = 0
  /** Where the text or the element that is open begins; -1 when none is. */
  #textStart = -1
  #elementStart = -1
  /** The last text of the document itself: the name of the member that follows. */
  #lastText = ''
  #inArray = false
  #isOver = false

  constructor(name: string) {
    this.#name = name
  }

  /** Whether the document has arrived to its end. */
  get isComplete(): boolean {
    return this.#isOver
  }

  /** Takes the next part, and returns the elements that it completes. */
  push(part: string): readonly unknown[] {
    this.#unread += part
    const elements: unknown[] = []
    for (; this.#at < this.#unread.length; this.#at += 1) {
      const character = this.#unread.charAt(this.#at)
      if (this.#textStart >= 0 || character === QUOTE) {
        this.#readText(character)
      } else if (character === '{' || character === '[') {
        this.#open(character)
      } else if (character === '}' || character === ']') {
        elements.push(...this.#close(character))
      }
    }
    this.#discardRead()
    return elements
  }

  /** Reads a character of a text, or the quote at its start. */
  #readText(character: string): void {
    if (this.#textStart < 0) {
      this.#textStart = this.#at
    } else if (character === ESCAPE) {
      this.#at += 1
    } else if (character === QUOTE) {
      const text = this.#unread.slice(this.#textStart + 1, this.#at)
      this.#lastText = this.#depth === IN_DOCUMENT ? text : this.#lastText
      this.#textStart = -1
    }
  }

  #open(character: string): void {
    if (this.#depth === IN_DOCUMENT && character === '[' && this.#lastText === this.#name) {
      this.#inArray = true
    } else if (this.#depth === IN_ARRAY && this.#inArray && character === '{') {
      this.#elementStart = this.#at
    }
    this.#depth += 1
  }

  /** Returns the element that ends here. */
  #close(character: string): readonly unknown[] {
    this.#depth -= 1
    this.#isOver = this.#depth === 0
    if (this.#depth === IN_DOCUMENT && character === ']') {
      this.#inArray = false
    }
    if (this.#depth !== IN_ARRAY || this.#elementStart < 0) {
      return []
    }
    const element = this.#unread.slice(this.#elementStart, this.#at + 1)
    this.#elementStart = -1
    return [parseJson(element)]
  }

  /** Discards what has been read, except the element or text that is open. */
  #discardRead(): void {
    const open = [this.#elementStart, this.#textStart].filter((start) => start >= 0)
    const from = Math.min(this.#unread.length, ...open)
    this.#unread = this.#unread.slice(from)
    this.#at -= from
    this.#elementStart -= this.#elementStart < 0 ? 0 : from
    this.#textStart -= this.#textStart < 0 ? 0 : from
  }
}
