/** Writes entries as JSON of the API; amounts are written digit by digit, without floating point. */
import type { ApiEntryDetails, EntryPages, EntryTransaction, ExactAmount } from './entry.ts'

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
