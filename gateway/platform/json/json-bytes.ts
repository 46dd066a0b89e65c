/** Cuts the bytes of a JSON text into members without parsing them. */

/**
 * A single string or number, or white space between two tokens, is one step; the longest of the API has 4 000
 * characters.
 */
export const TOKEN_BYTES_MAX = 1024 * 1024
export const TOKEN_TOO_LONG_MESSAGE = `The body contains a string or number longer than ${TOKEN_BYTES_MAX} bytes`

const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const [COMMA, COLON, QUOTE, BACKSLASH] = [0x2c, 0x3a, 0x22, 0x5c]
export const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** The bytes that are there, and the position in them. */
export type JsonBytes = { bytes: Buffer; at: number }
/** Consecutive members, before a comma or the end of their container, and how many values they hold at most. */
export type MemberRun = { readonly text: string; readonly isLast: boolean; readonly values: number }
/** Where members end; without an `end` the next one is too long. */
type MembersEnd = { readonly end: number | undefined; readonly isLast: boolean; readonly values: number }

/** Thrown for text that is not JSON. */
export class InvalidJsonError extends Error {}

/** Thrown where the bytes end too early: more of them may follow. */
export class UnexpectedEndError extends InvalidJsonError {}

/** Thrown for JSON that could not be parsed without blocking the event loop or holding too much of it. */
export class JsonLimitError extends Error {}

/**
 * As many members as make a piece, and what ends them; undefined when the next member is a container that is longer.
 */
export function takeMembers(source: JsonBytes, closing: number, pieceBytes: number): MemberRun | undefined {
  const { bytes, at: from } = source
  const { end, isLast, values } = endOfMembers(source, pieceBytes)
  if (end === undefined) {
    return undefined
  }
  if (isLast && bytes[end] !== closing) {
    throw new InvalidJsonError('A bracket of the other kind')
  }
  source.at = end + 1
  return { text: bytes.toString('utf8', from, end), isLast, values }
}

/** The last comma within reach or before the bytes end, or the closing bracket. */
function endOfMembers({ bytes, at: from }: JsonBytes, pieceBytes: number): MembersEnd {
  let comma: number | undefined
  let depth = 0
  // One more begins after each comma and each opening bracket.
  let values = 1
  let valuesBeforeComma = 0
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = endOfString(bytes, at) ?? bytes.length
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1
      values += 1
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      depth -= 1
      if (depth < 0) {
        return { end: at, isLast: true, values }
      }
    } else if (byte === COMMA) {
      if (depth === 0) {
        comma = at
        valuesBeforeComma = values
      }
      values += 1
    }
    if (at - from > pieceBytes && (comma !== undefined || depth > 0)) {
      return { end: comma, isLast: false, values: valuesBeforeComma }
    }
    requireShort(at - from)
  }
  if (comma === undefined) {
    throw new UnexpectedEndError('The text ends before what it contains')
  }
  return { end: comma, isLast: false, values: valuesBeforeComma }
}

/** The position of the closing quote; undefined where the bytes end before it. */
function endOfString(bytes: Buffer, opening: number): number | undefined {
  for (let at = opening + 1; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === BACKSLASH) {
      at += 1
    } else if (byte === QUOTE) {
      return at
    }
    requireShort(at - opening)
  }
  return undefined
}

/** The name of a long member as a string literal; moves to the value. */
export function takeName(source: JsonBytes): string {
  if (nextByte(source) !== QUOTE) {
    throw new InvalidJsonError('A member without a name')
  }
  const { bytes, at: from } = source
  const end = endOfString(bytes, from)
  if (end === undefined) {
    throw new UnexpectedEndError('A text without its end')
  }
  source.at = end + 1
  const literal = bytes.toString('utf8', from, source.at)
  if (nextByte(source) !== COLON) {
    throw new InvalidJsonError('A name without a value')
  }
  source.at += 1
  return literal
}

/** The byte that opens a container; moves behind it. */
export function takeOpening(source: JsonBytes): number {
  const byte = nextByte(source)
  if (byte !== OPEN_ARRAY && byte !== OPEN_OBJECT) {
    throw new InvalidJsonError('No container')
  }
  source.at += 1
  return byte
}

/** Behind a long member: whether it was the last one. */
export function endsAfterMember(source: JsonBytes, closing: number): boolean {
  const byte = nextByte(source)
  if (byte !== COMMA && byte !== closing) {
    throw new InvalidJsonError('Neither a comma nor the end behind a member')
  }
  source.at += 1
  return byte === closing
}

/** Skips white space. */
export function nextByte(source: JsonBytes): number {
  const { bytes, at: from } = source
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (!SPACES.has(byte)) {
      source.at = at
      return byte
    }
    requireShort(at - from)
  }
  throw new UnexpectedEndError('The text ends before what it contains')
}

function requireShort(bytes: number): void {
  if (bytes > TOKEN_BYTES_MAX) {
    throw new JsonLimitError(TOKEN_TOO_LONG_MESSAGE)
  }
}
