/** Makes and reads the cursors of lists: where a page ended, sealed, so that it leads on only in the list it came from. */
import type { Seal } from '../../platform/crypto/envelope-encryption.ts'

/** A list as it was asked for. */
export type ListAsked = {
  readonly partnerId: string
  readonly list: string
  /** What narrows it, as it was sent. */
  readonly filters: Readonly<Record<string, unknown>>
}

/** Where the page before ended, or why the cursor does not tell. */
export type CursorReading = { readonly place: string } | { readonly fault: string }

/** No cursor of ours comes near it. */
const CURSOR_CHARACTERS_MAX = 4096

/** The cursor that leads on from a place. */
export function writeCursor(seal: Seal, asked: ListAsked, place: string): string {
  return seal.seal(JSON.stringify({ filters: filtersOf(asked), place }), purposeOf(asked)).toString('base64url')
}

/** Nobody can make up a cursor, or use that of another partner or another list. */
export function readCursor(seal: Seal, asked: ListAsked, cursor: string): CursorReading {
  const opened = open(seal, asked, cursor)
  if (opened === undefined) {
    return { fault: 'is no cursor of this list; send nextCursor as it came' }
  }
  return opened.filters === filtersOf(asked)
    ? { place: opened.place }
    : { fault: 'is of a list with other filters; send the same filters with every page' }
}

function open(seal: Seal, asked: ListAsked, cursor: string): { filters: string; place: string } | undefined {
  if (cursor.length > CURSOR_CHARACTERS_MAX) {
    return undefined
  }
  try {
    // What the seal opens was written above.
    return JSON.parse(seal.open(Buffer.from(cursor, 'base64url'), purposeOf(asked)))
  } catch {
    return undefined
  }
}

function purposeOf({ partnerId, list }: ListAsked): string {
  return `cursor of ${list} of ${partnerId}`
}

/** In one order, whatever order they were sent in. */
function filtersOf({ filters }: ListAsked): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  return JSON.stringify(given.sort(([one], [other]) => (one < other ? -1 : 1)))
}
