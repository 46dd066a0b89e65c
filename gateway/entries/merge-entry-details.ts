/** Merges the details of an entry into the entry of the list. */
import type { BankEntry } from '../banks/connector/bank-account.ts'

/**
 * Fields missing from the details come from the list; ids, status and amount are always the list's. Undefined where the
 * details are of another entry.
 */
export function mergeEntryDetails(listed: BankEntry, details: BankEntry): BankEntry | undefined {
  const { transactionId, status, lastingId, amount } = listed
  if (!isSameEntry(listed, details)) {
    return undefined
  }
  const reported = Object.fromEntries(Object.entries(details).filter(([, value]) => isPresent(value)))
  const own = {
    name: details.own.name ?? listed.own.name,
    bban: details.own.bban ?? listed.own.bban,
    iban: details.own.iban ?? listed.own.iban,
  }
  return { ...listed, ...reported, own, transactionId, status, lastingId, amount }
}

/** A bank may return the details of another entry: they must not be merged. */
function isSameEntry({ amount, transactionId, entryReference }: BankEntry, details: BankEntry): boolean {
  const isSameAmount = details.amount.minor === amount.minor && details.amount.currency === amount.currency
  // Where the list gives no id, details are requested by reference, and may contain an id.
  const isSameId = details.transactionId === null || idsOf(details).includes(transactionId)
  const isSameReference = [null, entryReference].includes(details.entryReference) || entryReference === null
  return isSameAmount && isSameId && isSameReference
}

function idsOf({ transactionId, entryReference }: BankEntry): readonly (string | null)[] {
  return [transactionId, entryReference]
}

function isPresent(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0)
}
