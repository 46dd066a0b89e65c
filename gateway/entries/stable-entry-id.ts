/** Derives a stable id that an entry keeps when it is booked. */
import { createHash } from 'node:crypto'
import type { BankEntry } from '../banks/connector/bank-account.ts'

/** 132 of 256 bits, as in the stable ids of accounts. */
const CHARACTERS = 22

/** Returns the id of each entry of an answer, in their order. */
export type StableIds = (entry: BankEntry) => string

/**
 * Ids within an account, by its stable id. Where the bank has no lasting id, the id is derived from the entry's
 * content, and equal entries of a day are numbered.
 */
export function stableIds(accountStableId: string): StableIds {
  const seen = new Map<string, number>()
  const contentById = new Map<string, string>()
  return (entry) => {
    const contentId = hashOf([accountStableId, 'said', ...identifyingTextsOf(entry)])
    if (entry.lastingId !== null) {
      // Booking changes no direction, but a reversal may have the id of its entry, and be read without it.
      const direction = entry.amount.minor < 0n ? [] : ['credit']
      const lasting = [accountStableId, 'kept', entry.lastingId, ...direction]
      const id = hashOf(lasting)
      // An id that the bank gives to two different entries is that of the first.
      return contentById.getOrInsert(id, contentId) === contentId ? id : hashOf([...lasting, contentId])
    }
    const count = (seen.get(contentId) ?? 0) + 1
    seen.set(contentId, count)
    return count === 1 ? contentId : hashOf([contentId, String(count)])
  }
}

/** The value date is reported before the booking and does not change. */
function identifyingTextsOf({
  amount,
  valueOn,
  bookedOn,
  endToEndId,
  references,
  messages,
  ...entry
}: BankEntry): string[] {
  const { counterpartyBban, counterpartyIban, counterpartyName } = entry
  const texts = [counterpartyBban, counterpartyIban, counterpartyName, endToEndId].map((text) => text ?? '')
  const reported = [...references.map(({ reference }) => reference), '', ...messages]
  return [String(amount.minor), amount.currency, String(valueOn ?? bookedOn ?? ''), ...texts, ...reported]
}

/** Length prefixes make the encoding unambiguous. */
function hashOf(parts: readonly string[]): string {
  const text = parts.map((part) => `${part.length} ${part}`).join('\n')
  return createHash('sha256').update(text).digest('base64url').slice(0, CHARACTERS)
}
