/** Parses a long JSON text in pieces and yields to the event loop between them. */
import { runYieldingToEventLoop } from '../yield-to-event-loop.ts'

/** A piece of this size is parsed in about a tenth of a millisecond. */
const PIECE_BYTES = 16 * 1024
/**
 * A single string or number, or white space between two tokens, is one step; the longest of the API has 4 000
 * characters.
 */
export const TOKEN_BYTES_MAX = 1024 * 1024
/** Listing the names of an object is one step. */
const MEMBERS_MAX = 100_000

export const TOKEN_TOO_LONG_MESSAGE = `The body contains a string or number longer than ${TOKEN_BYTES_MAX} bytes`
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const [COMMA, COLON, QUOTE, BACKSLASH] = [0x2c, 0x3a, 0x22, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Parses one piece; throws for text that is not JSON or not acceptable. `level` is the nesting level of the piece. */
export type ParseChunk = (text: string, level: number) => unknown

/** How a text is parsed; nothing is nested deeper than `levelsMax`. */
export type ParseLongJsonOptions = {
  readonly readPiece: ParseChunk
  readonly levelsMax: number
  readonly pieceBytes?: number
}

/** The bytes, how a piece is parsed, and the position of the parser. */
type Reading = Required<ParseLongJsonOptions> & { readonly bytes: Buffer; at: number }
/** Consecutive members, before a comma or the end of their container. */
type Run = { readonly text: string; readonly isLast: boolean }

/** Thrown for text that is not JSON. */
export class InvalidJsonError extends Error {}

/** Thrown for JSON that could not be parsed without blocking the event loop, or is nested too deep. */
export class JsonLimitError extends Error {}

/**
 * Returns what `JSON.parse` would for an object or an array in UTF-8. Throws `InvalidJsonError`, or what `readPiece`
 * throws, where that would throw, and `JsonLimitError`.
 */
export async function parseLongJson(bytes: Buffer, how: ParseLongJsonOptions): Promise<unknown> {
  return await runYieldingToEventLoop(parseDocument({ pieceBytes: PIECE_BYTES, ...how, bytes, at: 0 }))
}

function* parseDocument(reading: Reading): Generator<void, unknown> {
  skipSpace(reading)
  const value = yield* readContainer(reading, 0)
  skipSpace(reading)
  if (reading.at < reading.bytes.length) {
    throw new InvalidJsonError('Something follows the end')
  }
  return value
}

/** From the opening bracket to behind the closing one. */
function* readContainer(reading: Reading, level: number): Generator<void, unknown> {
  const opening = reading.bytes[reading.at]
  if (opening !== OPEN_ARRAY && opening !== OPEN_OBJECT) {
    throw new InvalidJsonError('No container')
  }
  if (level >= reading.levelsMax) {
    throw new JsonLimitError(nestedTooDeepMessage(reading.levelsMax))
  }
  reading.at += 1
  return opening === OPEN_ARRAY ? yield* readArray(reading, level) : yield* readObject(reading, level)
}

function* readArray(reading: Reading, level: number): Generator<void, unknown[]> {
  const elements: unknown[] = []
  for (;;) {
    const run = takeMembers(reading, CLOSE_ARRAY)
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
    const run = takeMembers(reading, CLOSE_OBJECT)
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
      throw new JsonLimitError(`The body contains an object with more than ${MEMBERS_MAX} fields`)
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

/** A comma separates members; without members, a container is only its brackets. */
function requireMembers(count: number, membersBefore: number): void {
  if (count === 0 && membersBefore > 0) {
    throw new InvalidJsonError('A comma without a member')
  }
}

/**
 * As many members as make a piece, and what ends them; undefined when the next member is a container that is longer.
 */
function takeMembers(reading: Reading, closing: number): Run | undefined {
  const { bytes, at: from } = reading
  const { end, isLast } = endOfMembers(reading)
  if (end === undefined) {
    return undefined
  }
  if (isLast && bytes[end] !== closing) {
    throw new InvalidJsonError('A bracket of the other kind')
  }
  reading.at = end + 1
  return { text: bytes.toString('utf8', from, end), isLast }
}

/** The last comma within reach, or the closing bracket. */
function endOfMembers({ bytes, pieceBytes, at: from }: Reading): {
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
  throw new InvalidJsonError('The text ends before what it contains')
}

/** The position of the closing quote. */
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
  throw new InvalidJsonError('A text without its end')
}

/** For a long member: to behind its colon and the white space there. */
function readName(reading: Reading, level: number): string {
  skipSpace(reading)
  const { bytes, at: from } = reading
  if (bytes[from] !== QUOTE) {
    throw new InvalidJsonError('A member without a name')
  }
  reading.at = endOfString(bytes, from) + 1
  const named = reading.readPiece(`{${bytes.toString('utf8', from, reading.at)}:0}`, level) as object
  skipSpace(reading)
  if (bytes[reading.at] !== COLON) {
    throw new InvalidJsonError('A name without a value')
  }
  reading.at += 1
  skipSpace(reading)
  return Object.keys(named)[0] ?? ''
}

/** Behind a long member: whether it was the last one. */
function endsAfterMember(reading: Reading, closing: number): boolean {
  skipSpace(reading)
  const byte = reading.bytes[reading.at]
  if (byte !== COMMA && byte !== closing) {
    throw new InvalidJsonError('Neither a comma nor the end behind a member')
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
    throw new JsonLimitError(TOKEN_TOO_LONG_MESSAGE)
  }
}

/** The message for a body that is nested too deep. */
export function nestedTooDeepMessage(levelsMax: number): string {
  return `The body is nested deeper than ${levelsMax} levels`
}
