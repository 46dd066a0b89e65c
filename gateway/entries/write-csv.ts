/** Writes entries as CSV (RFC 4180) that is safe to open in spreadsheets. */
import type { ApiEntry, Entry, EntryPages } from './entry.ts'

/** What spreadsheets interpret as a formula, and the apostrophe, so that an escaping apostrophe is unambiguous. */
const FORMULA_PREFIX = /^['=+\-@\t\r\n＝＋－＠]/
/** What ends a cell or a line. */
const NEEDS_QUOTES = /[",\r\n]/

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
  let names = lineOf(Object.keys(columns))
  for await (const page of pages) {
    yield names + page.map(csvLine).join('')
    names = ''
  }
  if (names !== '') {
    yield names
  }
}

function csvLine({ shown }: Entry): string {
  return lineOf(Object.values(columns).map((cell) => cell(shown) ?? ''))
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(text: string): string {
  const harmless = FORMULA_PREFIX.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
