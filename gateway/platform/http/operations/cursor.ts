/** Creates and parses list cursors: the sealed end of a page, valid only in the list that it came from. */
import type { Seal } from '../../crypto/envelope-encryption.ts'

/** A list request. */
export type CursorScope = {
  readonly partnerId: string
  readonly list: string
  /** Its filters as sent. */
  readonly filters: Readonly<Record<string, unknown>>
}

/** Where the previous page ended, or why the cursor is invalid. */
export type ParsedCursor = { readonly place: string } | { readonly fault: string }

/** Longer than any valid cursor. */
const CURSOR_CHARACTERS_MAX = 4096

/** The cursor that continues after a position. */
export function createCursor(seal: Seal, scope: CursorScope, place: string): string {
  return seal.seal(JSON.stringify({ filters: filtersOf(scope), place }), purposeOf(scope)).toString('base64url')
}

/** The seal prevents forged cursors and those of another partner or another list. */
export function parseCursor(seal: Seal, scope: CursorScope, cursor: string): ParsedCursor {
  const opened = open(seal, scope, cursor)
  if (opened === undefined) {
    return { fault: 'is not a cursor of this list; send nextCursor unchanged' }
  }
  return opened.filters === filtersOf(scope)
    ? { place: opened.place }
    : { fault: 'belongs to a list with other filters; send the same filters with every page' }
}

function open(seal: Seal, scope: CursorScope, cursor: string): { filters: string; place: string } | undefined {
  if (cursor.length > CURSOR_CHARACTERS_MAX) {
    return undefined
  }
  try {
    // The seal authenticates that this text was written above.
    return JSON.parse(seal.open(Buffer.from(cursor, 'base64url'), purposeOf(scope)))
  } catch {
    return undefined
  }
}

function purposeOf({ partnerId, list }: CursorScope): string {
  return `cursor of ${list} of ${partnerId}`
}

/** Independent of the order in which they were sent. */
function filtersOf({ filters }: CursorScope): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return JSON.stringify(given.sort(([one], [other]) => (one < other ? -1 : 1)))
}
