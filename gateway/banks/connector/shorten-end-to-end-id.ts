/** Shortens the end-to-end ids of partners to what banks accept. */
import { createHash } from 'node:crypto'

/** Length of the digest that replaces the end of an id: 32 bits. */
const DIGEST_CHARACTERS = 8

/** The id as it is sent to a bank; null where the bank gets none. */
export function endToEndIdFor(
  endToEndId: string,
  { endToEndIdMax: max }: { readonly endToEndIdMax: number | null },
): string | null {
  return max === null ? null : shortenEndToEndId(endToEndId, max)
}

/**
 * The id as it is sent to a bank: one that is too long, or has blanks at its edges, which no bank returns, ends in a
 * digest. Deterministic, and different ids stay different.
 */
export function shortenEndToEndId(endToEndId: string, charactersMax: number): string {
  const trimmed = endToEndId.trim()
  if (trimmed === endToEndId && endToEndId.length <= charactersMax) {
    return endToEndId
  }
  const digest = createHash('sha256').update(endToEndId).digest('hex').slice(0, DIGEST_CHARACTERS)
  return `${trimmed.slice(0, charactersMax - DIGEST_CHARACTERS - 1)}-${digest}`
}
