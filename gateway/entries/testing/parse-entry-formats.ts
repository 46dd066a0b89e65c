/** What every form of entries must tell alike of each, read from JSON, CSV and a statement by readers that share no code with us. */
import type { AccountEntry } from '../../../contract/account-entries.ts'
import { csvRows } from './csv-rows.ts'

/** An entry as all forms tell it; the payment's id as its digits alone, as statements have it. */
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
    // An apostrophe keeps what looks like a formula from being one.
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
