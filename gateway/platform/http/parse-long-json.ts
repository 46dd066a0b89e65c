/** Reads a long JSON text piece by piece, letting others have their turn in between. */
import { runLettingOthersIn } from '../yield-to-event-loop.ts'

/** A piece of this size is read in about a tenth of a millisecond. */
const PIECE_BYTES = 16 * 1024
/** A single text or number, or white space between two, takes a turn of its own; the longest of the interface has 4 000 characters. */
export const TOKEN_BYTES_MAX = 1024 * 1024
/** Listing the names of an object takes a turn of its own. */
const MEMBERS_MAX = 100_000

export const TOKEN_TOO_LONG = `A text or a number of the body is longer than ${TOKEN_BYTES_MAX} bytes`
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const [COMMA, COLON, QUOTE, BACKSLASH] = [0x2c, 0x3a, 0x22, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Reads one piece; throws for a text that is no JSON, or not to be taken. `level` is where the piece stands in the whole. */
export type ReadPiece = (text: string, level: number) => unknown

/** How a text is read; nothing is nested deeper than `levelsMax`. */
export type HowRead = { readonly readPiece: ReadPiece; readonly levelsMax: number; readonly pieceBytes?: number }

/** Bytes, how a piece is read, and where reading has come to. */
type Reading = Required<HowRead> & { readonly bytes: Buffer; at: number }
/** Members that follow each other, before a comma or the end of what contains them. */
type Run = { readonly text: string; readonly isLast: boolean }

/** Thrown for whatever is not JSON. */
export class NotJson extends Error {}

/** Thrown for JSON that could not be read without holding others up, or is nested too deep. */
export class TooLong extends Error {}

/**
 * What `JSON.parse` would make of an object or an array in UTF-8. Throws `NotJson`, or what `readPiece` throws, where
 * that would throw, and `TooLong`.
 */
export async function readLongJson(bytes: Buffer, how: HowRead): Promise<unknown> {
  return await runLettingOthersIn(readWhole({ pieceBytes: PIECE_BYTES, ...how, bytes, at: 0 }))
}

function* readWhole(reading: Reading): Generator<void, unknown> {
  skipSpace(reading)
  const value = yield* readContainer(reading, 0)
  skipSpace(reading)
  if (reading.at < reading.bytes.length) {
    throw new NotJson('Something follows the end')
  }
  return value
}

/** From the opening bracket up to behind the closing one. */
function* readContainer(reading: Reading, level: number): Generator<void, unknown> {
  const opening = reading.bytes[reading.at]
  if (opening !== OPEN_ARRAY && opening !== OPEN_OBJECT) {
    throw new NotJson('No container')
  }
  if (level >= reading.levelsMax) {
    throw new TooLong(nestedTooDeep(reading.levelsMax))
  }
  reading.at += 1
  return opening === OPEN_ARRAY ? yield* readArray(reading, level) : yield* readObject(reading, level)
}

function* readArray(reading: Reading, level: number): Generator<void, unknown[]> {
  const elements: unknown[] = []
  for (;;) {
    const run = takeRun(reading, CLOSE_ARRAY)
    const before = elements.length
    if (run === undefined) {
      skipSpace(reading)
      elements.push(yield* readContainer(reading, level + 1))
    } else {
      elements.push(...(reading.readPiece(`[${run.text}]`, level) as unknown[]))
    }
    yield
    if (run?.isLast ?? endsAfterMember(reading, CLOSE_ARRAY)) {
      requireMembers(elements.length - before, before)
      return elements
    }
    requireMembers(elements.length - before, 1)
  }
}

function* readObject(reading: Reading, level: number): Generator<void, object> {
  const members: Record<string, unknown> = {}
  let total = 0
  let isFirst = true
  for (;;) {
    const run = takeRun(reading, CLOSE_OBJECT)
    let count = 1
    if (run === undefined) {
      const name = readName(reading, level)
      members[name] = yield* readContainer(reading, level + 1)
    } else {
      const some = reading.readPiece(`{${run.text}}`, level) as object
      count = Object.keys(some).length
      Object.assign(members, some)
    }
    total += count
    if (total > MEMBERS_MAX) {
      throw new TooLong(`An object of the body has more than ${MEMBERS_MAX} members`)
    }
    yield
    if (run?.isLast ?? endsAfterMember(reading, CLOSE_OBJECT)) {
      requireMembers(count, isFirst ? 0 : 1)
      return members
    }
    requireMembers(count, 1)
    isFirst = false
  }
}

/** A comma stands between members; without any, a container is just its brackets. */
function requireMembers(count: number, membersBefore: number): void {
  if (count === 0 && membersBefore > 0) {
    throw new NotJson('A comma without a member')
  }
}

/** As many members as make a piece, and what ends them; undefined when the next one is longer than that, and a container. */
function takeRun(reading: Reading, closing: number): Run | undefined {
  const { bytes, at: from } = reading
  const { end, isLast } = endOfRun(reading)
  if (end === undefined) {
    return undefined
  }
  if (isLast && bytes[end] !== closing) {
    throw new NotJson('A bracket of the other kind')
  }
  reading.at = end + 1
  return { text: bytes.toString('utf8', from, end), isLast }
}

/** Where the last comma is that can be reached, or the closing bracket. */
function endOfRun({ bytes, pieceBytes, at: from }: Reading): {
  readonly end: number | undefined
  readonly isLast: boolean
} {
  let comma: number | undefined
  let depth = 0
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = endOfString(bytes, at)
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth -= 1
      if (depth < 0) {
        return { end: at, isLast: true }
      }
    } else if (byte === COMMA && depth === 0) {
      comma = at
    }
    if (at - from > pieceBytes && (comma !== undefined || depth > 0)) {
      return { end: comma, isLast: false }
    }
    requireShort(at - from)
  }
  throw new NotJson('The text ends before what it contains')
}

/** Where the closing quote is. */
function endOfString(bytes: Buffer, opening: number): number {
  for (let at = opening + 1; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === BACKSLASH) {
      at += 1
    } else if (byte === QUOTE) {
      return at
    }
    requireShort(at - opening)
  }
  throw new NotJson('A text without its end')
}

/** Of a long member: up to behind its colon and the space there. */
function readName(reading: Reading, level: number): string {
  skipSpace(reading)
  const { bytes, at: from } = reading
  if (bytes[from] !== QUOTE) {
    throw new NotJson('A member without a name')
  }
  reading.at = endOfString(bytes, from) + 1
  const named = reading.readPiece(`{${bytes.toString('utf8', from, reading.at)}:0}`, level) as object
  skipSpace(reading)
  if (bytes[reading.at] !== COLON) {
    throw new NotJson('A name without a value')
  }
  reading.at += 1
  skipSpace(reading)
  return Object.keys(named)[0] ?? ''
}

/** Behind a long member: whether that was the last one. */
function endsAfterMember(reading: Reading, closing: number): boolean {
  skipSpace(reading)
  const byte = reading.bytes[reading.at]
  if (byte !== COMMA && byte !== closing) {
    throw new NotJson('Neither a comma nor the end behind a member')
  }
  reading.at += 1
  return byte === closing
}

function skipSpace(reading: Reading): void {
  const { bytes, at: from } = reading
  while (SPACES.has(bytes[reading.at] ?? 0)) {
    requireShort(reading.at - from)
    reading.at += 1
  }
}

function requireShort(bytes: number): void {
  if (bytes > TOKEN_BYTES_MAX) {
    throw new TooLong(TOKEN_TOO_LONG)
  }
}

/** What is said of a body that is nested deeper than it may be. */
export function nestedTooDeep(levelsMax: number): string {
  return `The body is nested deeper than ${levelsMax} levels`
}
