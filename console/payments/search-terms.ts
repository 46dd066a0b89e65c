/** Parses what is searched for in the console: an id, an organisation number, or what payments are searched by. */

import { bbanOf } from '../../gateway/countries/account-number.ts'
import type { AmountRange } from '../../gateway/orders/views/payment-search.ts'
import { plainCode, withPlainSeparators } from '../../gateway/platform/copied-text.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { currencyScale } from '../../gateway/platform/money.ts'

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

const ACCOUNT_ENDING = /^[A-Z0-9]{4,34}$/
/** Country and check digits of an IBAN: what follows them ends in the number by which domestic accounts are stored. */
const IBAN_START = /^[A-Z]{2}\d{2}(?=[A-Z0-9]{4})/
/** Points are separators only where there are several: a single one would be a decimal point. */
const WITH_POINTS = /^\d+(\.\d+){2,}$/
const AMOUNT = /^\d{1,12}(?:[.,]\d{1,4})?$/
/** Thousands with separators, and then decimals behind the other one: `1.234,50`, `1,234.50`. */
const WITH_THOUSANDS = /^\d{1,3}(?:(?:\.\d{3})+,|(?:,\d{3})+\.)\d{1,4}$/
const RANGE_SIGN = '-'
const NAME_CHARACTERS_MIN = 3

/** At least four characters; undefined for anything else. Of an IBAN, the number by which the account is stored. */
export function parseAccountEnding(text: string): string | undefined {
  const code = plainCode(text)
  const ending = WITH_POINTS.test(code) ? code.replaceAll('.', '') : code
  if (!ACCOUNT_ENDING.test(ending)) {
    return undefined
  }
  const contained = bbanOf(ending)
  return contained.ok ? contained.bban : ending.replace(IBAN_START, '')
}

/** A part of a name: at least three characters, one of them a letter. */
export function parseNamePart(text: string): string | undefined {
  const name = withPlainSeparators(text)
  return [...name].length >= NAME_CHARACTERS_MIN && /\p{L}/u.test(name) ? name : undefined
}

/** `1250`, `1 250,50` or `1000-2000`; undefined for anything else, and for a range that ends before it begins. */
export function parseAmountRange(text: string): AmountRange | undefined {
  const [first = '', last = first, ...others] = withPlainSeparators(text).split(RANGE_SIGN)
  const [from, to] = [decimalOf(first), decimalOf(last)]
  return others.length > 0 || from === undefined || to === undefined || Number(from) > Number(to)
    ? undefined
    : { from, to }
}

function decimalOf(text: string): string | undefined {
  const written = text.replaceAll(' ', '')
  const compact = WITH_THOUSANDS.test(written) ? written.replaceAll(/[.,](?=\d{3}[.,])/g, '') : written
  return AMOUNT.test(compact) ? compact.replace(',', '.') : undefined
}
