/** Parses the common fields of entries from JSON, CSV and a statement, without code shared with Havn. */
import type { AccountEntry } from '../../../contract/account-entries.ts'
import { csvRows } from './csv-rows.ts'

/** An entry as all formats contain it; the payment's id without hyphens, as in statements. */
export type ComparableEntry = {
  readonly id: string
  readonly paymentId: string
  readonly way: string
  readonly amount: string
}

export function parseJsonEntries(entries: readonly AccountEntry[]): readonly ComparableEntry[] {
  return entries.map(({ paymentId = '', postedAmount, stableEntryId = '', type }) => ({
    id: stableEntryId,
    paymentId: withoutHyphens(paymentId),
    way: type,
    amount: postedAmount.amount.toFixed(2),
  }))
}

export function parseCsvEntries(text: string): readonly ComparableEntry[] {
  const [names = [], ...rows] = csvRows(text)
  return rows.map((row) => {
    // An apostrophe prevents that a text is read as a formula.
    const cell = (name: string) => row[names.indexOf(name)]?.replace(/^'/, '') ?? ''
    const paymentId = withoutHyphens(cell('paymentId'))
    return { id: cell('stableEntryId'), paymentId, way: cell('type'), amount: cell('amount') }
  })
}

export function parseCamtEntries(text: string): readonly ComparableEntry[] {
  return [...text.matchAll(/<Ntry>.*?<\/Ntry>/gs)].map(([entry]) => {
    const inside = (name: string) => new RegExp(`<${name}(?: [^>]*)?>([^<]*)<`).exec(entry)?.[1] ?? ''
    const way = inside('CdtDbtInd') === 'CRDT' ? 'CREDIT' : 'DEBIT'
    return { id: inside('NtryRef'), paymentId: inside('AcctOwnrTxId'), way, amount: inside('Amt') }
  })
}

function withoutHyphens(id: string): string {
  return id.replaceAll('-', '')
}
