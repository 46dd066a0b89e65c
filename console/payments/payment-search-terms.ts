/** Parses what payments are searched by: an account number or its end, a name, an amount or a range of amounts. */
import { bbanOf } from '../../gateway/countries/account-number.ts'
import type { AmountRange } from '../../gateway/orders/views/payment-search.ts'
import { plainCode, withPlainSeparators } from '../../gateway/platform/copied-text.ts'

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
