/** Makes the id that an entry keeps when it is booked, out of what its bank keeps. */
import { createHash } from 'node:crypto'
import type { BankEntry } from '../banks/connector/bank-account.ts'

/** Of 256 bits so many characters are kept, as of the accounts' own stable ids: 132 bits. */
const CHARACTERS = 22

/** Gives the id of each entry of an answer, in their order. */
export type StableIds = (entry: BankEntry) => string

/**
 * Ids within an account, by its stable id. Where the bank keeps nothing, an entry is known by all that it says, and those
 * of a day that say the same are counted.
 */
export function stableIds(accountStableId: string): StableIds {
  const seen = new Map<string, number>()
  return (entry) => {
    if (entry.lastingId !== null) {
      return hashed([accountStableId, 'kept', entry.lastingId])
    }
    const said = hashed([accountStableId, 'said', ...wordsOf(entry)])
    const count = (seen.get(said) ?? 0) + 1
    seen.set(said, count)
    return count === 1 ? said : hashed([said, String(count)])
  }
}

/** The day of value is told before the booking, and stays. */
function wordsOf({ amount, valueOn, bookedOn, endToEndId, references, messages, ...entry }: BankEntry): string[] {
  const { counterpartyBban, counterpartyIban, counterpartyName } = entry
  const texts = [counterpartyBban, counterpartyIban, counterpartyName, endToEndId].map((text) => text ?? '')
  const told = [...references.map(({ reference }) => reference), '', ...messages]
  return [String(amount.minor), amount.currency, String(valueOn ?? bookedOn ?? ''), ...texts, ...told]
}

/** Lengths stand before the parts, so that no two lists are written alike. */
function hashed(parts: readonly string[]): string {
  const text = parts.map((part) => `${part.length} ${part}`).join('\n')
  return createHash('sha256').update(text).digest('base64url').slice(0, CHARACTERS)
}
