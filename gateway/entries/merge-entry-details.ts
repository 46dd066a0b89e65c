/** Joins what a list tells of an entry with what the bank tells of it by itself. */
import type { BankEntry } from '../banks/connector/bank-account.ts'

/**
 * What the details leave out is as the list told it; what the entry is known by, and its amount, are the list's. Undefined
 * where the details are of another entry.
 */
export function withDetails(listed: BankEntry, details: BankEntry): BankEntry | undefined {
  const { transactionId, status, lastingId, amount } = listed
  if (!isOf(listed, details)) {
    return undefined
  }
  const told = Object.fromEntries(Object.entries(details).filter(([, value]) => isTold(value)))
  const own = {
    name: details.own.name ?? listed.own.name,
    bban: details.own.bban ?? listed.own.bban,
    iban: details.own.iban ?? listed.own.iban,
  }
  return { ...listed, ...told, own, transactionId, status, lastingId, amount }
}

/** Details of another entry may be as sound as those that were asked for: a bank's mistake must not become ours. */
function isOf({ amount, transactionId, entryReference }: BankEntry, details: BankEntry): boolean {
  const isSameAmount = details.amount.minor === amount.minor && details.amount.currency === amount.currency
  // A list that gives no id is asked after by the reference, where details may well give an id.
  const isSameId = details.transactionId === null || idsOf(details).includes(transactionId)
  const isSameReference = [null, entryReference].includes(details.entryReference) || entryReference === null
  return isSameAmount && isSameId && isSameReference
}

function idsOf({ transactionId, entryReference }: BankEntry): readonly (string | null)[] {
  return [transactionId, entryReference]
}

function isTold(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0)
}
