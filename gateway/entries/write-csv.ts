/** Writes entries as CSV (RFC 4180) that is safe to open in spreadsheets. */
import { csvLine } from '../platform/csv-line.ts'
import type { ApiEntry, Entry, EntryPages } from './entry.ts'

type Cell = (entry: ApiEntry) => string | undefined

const columns: Readonly<Record<string, Cell>> = {
  transactionId: ({ transactionId }) => transactionId,
  stableEntryId: ({ stableEntryId }) => stableEntryId,
  status: ({ status }) => status,
  type: ({ type }) => type,
  amount: ({ postedAmount }) => postedAmount.amount,
  currency: ({ postedAmount }) => postedAmount.currency,
  bookingDateTime: ({ bookingDateTime }) => bookingDateTime,
  valueDateTime: ({ valueDateTime }) => valueDateTime,
  creditorName: ({ creditor }) => creditor.name,
  creditorBban: ({ creditor }) => creditor.bban,
  creditorIban: ({ creditor }) => creditor.iban,
  debtorName: ({ debtor }) => debtor.name,
  debtorBban: ({ debtor }) => debtor.bban,
  debtorIban: ({ debtor }) => debtor.iban,
  reference: ({ remittanceInformation }) => remittanceInformation.reference,
  unstructured: ({ remittanceInformation }) => remittanceInformation.unstructured,
  purposeText: ({ purposeText }) => purposeText,
  endToEndId: ({ endToEndId }) => endToEndId,
  paymentId: ({ paymentId }) => paymentId,
  enriched: ({ enriched }) => String(enriched),
}

/** The header and one line per entry; values that the bank does not report are empty. */
export async function* writeCsv(pages: EntryPages): AsyncGenerator<string> {
  let names = csvLine(Object.keys(columns))
  for await (const page of pages) {
    yield names + page.map(entryLine).join('')
    names = ''
  }
  if (names !== '') {
    yield names
  }
}

function entryLine({ shown }: Entry): string {
  return csvLine(Object.values(columns).map((cell) => cell(shown) ?? ''))
}
