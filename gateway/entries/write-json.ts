/** Writes entries as the interface's JSON, amounts digit by digit: they never pass through floating point. */
import type { EntryPages, ExactAmount, ShownDetails, ShownElement } from './entry.ts'

/** The list, a page at a time. It is not closed before all pages have come. */
export async function* jsonOf(pages: EntryPages): AsyncGenerator<string> {
  const opening = '{"accountEntries":['
  let lead = opening
  for await (const page of pages) {
    if (page.length > 0) {
      yield lead + page.map(({ shown }) => entryJson(shown)).join(',')
      lead = ','
    }
  }
  yield `${lead === opening ? opening : ''}]}`
}

/** One entry. */
export function entryJson({ elements, ...entry }: ShownDetails): string {
  const written = elements === undefined ? '' : `"elements":[${elements.map((one) => withAmount(one)).join(',')}],`
  return withAmount(entry, written)
}

/** Every shape has other members than the amount. */
function withAmount({ postedAmount, ...rest }: ShownElement, more = ''): string {
  const amount = postedAmount === undefined ? '' : `"postedAmount":${amountJson(postedAmount)},`
  return `{${amount}${more}${JSON.stringify(rest).slice(1)}`
}

function amountJson({ amount, currency }: ExactAmount): string {
  return `{"amount":${amount},"currency":${JSON.stringify(currency)}}`
}
