/** Reads what a text that was entered in the search field can be: an id, an amount, an account or a name. */
import type { AmountRange } from '../../gateway/orders/views/payment-search.ts'
import { withPlainSeparators } from '../../gateway/platform/copied-text.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { currencyScale } from '../../gateway/platform/money.ts'
import { parseAccountEnding, parseAmountRange, parseNamePart } from '../payments/payment-search-terms.ts'

/** What a text can be; only what it has the form of. */
export type SearchTerms = {
  /** As it was entered, without spaces around it. */
  readonly text: string
  readonly id: string | undefined
  readonly amount: (AmountRange & { readonly currency: string | undefined }) | undefined
  readonly accountEnding: string | undefined
  readonly name: string | undefined
}

/** Texts that PostgreSQL stores, of which no id, name or account is longer. */
const READABLE = /^\P{Cc}{1,255}$/u
const CURRENCY = /^([A-Za-z]{3}) |(?<=\d) ?([A-Za-z]{3})$/

/** Undefined for an empty text and for one that nothing can have. */
export function parseSearchTerms(entered: string): SearchTerms | undefined {
  const text = entered.trim()
  if (!READABLE.test(text)) {
    return undefined
  }
  return {
    text,
    id: isId(text) ? text.toLowerCase() : undefined,
    amount: isId(text) ? undefined : amountIn(text),
    // Of letters alone it is a name.
    accountEnding: isId(text) || !/\d/.test(text) ? undefined : parseAccountEnding(text),
    name: isId(text) ? undefined : parseNamePart(text),
  }
}

/** `1 234,50`, `1234.50 NOK` or `NOK 1234,50`. */
function amountIn(text: string): SearchTerms['amount'] {
  const plain = withPlainSeparators(text)
  const [found = '', before, behind] = CURRENCY.exec(plain) ?? []
  const currency = (before ?? behind)?.toUpperCase()
  if (currency !== undefined && currencyScale(currency) === undefined) {
    return undefined
  }
  const range = parseAmountRange(plain.replace(found, ''))
  return range && { ...range, currency }
}
