/** Writes the entries of an account in the requested media type, while they are read. */
import type { BankBalance } from '../banks/connector/bank-account.ts'
import { BankError } from '../banks/connector/bank-error.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { csvLine } from '../platform/csv-line.ts'
import { ApiError } from '../platform/http/errors/api-error.ts'
import { JSON_MEDIA_TYPE } from '../platform/http/preferences.ts'
import type { ApiEntry, ApiEntryDetails, Entry, EntryPages, EntryTransaction, ExactAmount } from './entry.ts'
import type { EntryReader } from './open-entry-reader.ts'
import { type EntriesQuery, readEntries } from './read-entries.ts'
import { writeCamt } from './write-camt.ts'

/** Throws before the first chunk what `readEntries` throws, and the bank's error for its first page. */
export async function* writeEntries(
  context: Context,
  caller: ConsentCaller,
  query: EntriesQuery,
  mediaType: string,
): AsyncGenerator<string> {
  const { reading, pages } = await readEntries(context, caller, query)
  if (mediaType === JSON_MEDIA_TYPE) {
    yield* writeJson(pages)
  } else if (mediaType === 'text/csv') {
    yield* writeCsv(pages)
  } else {
    const balances = () => balancesOf(reading)
    yield* writeCamt(pages, { reading, days: query.days, now: context.clock.now(), balances })
  }
}

/** If the balances cannot be read, the statement is written without them. */
async function balancesOf({ accounts, account, request, withQuota }: EntryReader): Promise<BankBalance> {
  try {
    return await withQuota('balance', () => request((caller) => accounts.balance(caller, account)))
  } catch (error) {
    if (error instanceof BankError || error instanceof ApiError) {
      return { booked: null, available: null }
    }
    throw error
  }
}

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

/** The list, page by page; it is closed only after all pages. */
export async function* writeJson(pages: EntryPages): AsyncGenerator<string> {
  const opening = '{"accountEntries":['
  let separator = opening
  for await (const page of pages) {
    if (page.length > 0) {
      yield separator + page.map(({ shown }) => entryJson(shown)).join(',')
      separator = ','
    }
  }
  yield `${separator === opening ? opening : ''}]}`
}

export function entryJson({ elements, ...entry }: ApiEntryDetails): string {
  const written = elements === undefined ? '' : `"elements":[${elements.map((one) => withAmount(one)).join(',')}],`
  return withAmount(entry, written)
}

/** `JSON.stringify` of the rest is never empty, because each shape has further required fields. */
function withAmount({ postedAmount, ...rest }: EntryTransaction, more = ''): string {
  const amount = postedAmount === undefined ? '' : `"postedAmount":${amountJson(postedAmount)},`
  return `{${amount}${more}${JSON.stringify(rest).slice(1)}`
}

function amountJson({ amount, currency }: ExactAmount): string {
  return `{"amount":${amount},"currency":${JSON.stringify(currency)}}`
}
