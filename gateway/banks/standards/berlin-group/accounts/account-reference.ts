/** Converts account numbers to the standard's account references and back, in each bank's format. */

import { bbanOf, checkAccountNumber, ibanOf } from '../../../../countries/account-number.ts'
import { plainCode } from '../../../../platform/copied-text.ts'
import { type CreditorAccount, type Debtor, kindOfCreditorNumber } from '../../../connector/bank-order.ts'
import { statedText } from '../../../connector/bank-text.ts'
import type { Dialect } from '../dialect.ts'
import type { AccountReference } from '../wire.ts'

const prefixByGiro = { bankgiro: 'BG', plusgiro: 'PG' } as const

/** The debtor account. Some banks reject its currency, except for multi-currency accounts. */
export function debtorAccountReference(
  { currency, sharesNumber, bban, iban }: Omit<Debtor, 'name'>,
  dialect: Dialect,
): AccountReference & { readonly currency?: string } {
  return { ...accountReference({ type: 'account', bban, iban }, dialect), ...(sharesNumber && { currency }) }
}

/** An account in the bank's format. */
export function accountReference(account: CreditorAccount, dialect: Dialect): AccountReference {
  switch (account.type) {
    case 'account': {
      // Where the bank shows only an IBAN from which the number cannot be derived, the IBAN is used for both.
      const isNamedByIban = dialect.accounts === 'iban' || account.bban === account.iban
      return isNamedByIban && account.iban !== null ? { iban: account.iban } : { bban: account.bban }
    }
    case 'bankgiro':
    case 'plusgiro':
      // Swedbank's format; the standard has none.
      return { bban: `${prefixByGiro[account.type]} ${account.number}` }
    case 'payment-form': {
      const scheme = dialect.paymentFormScheme === undefined ? {} : { schemeNameProprietary: dialect.paymentFormScheme }
      return { other: { identification: account.number, ...scheme } }
    }
  }
}

/**
 * The domestic number of an account in normalised form; null where it cannot be derived from the reference. That in the
 * IBAN comes first, which alone has check digits in every country: the number without its registration or clearing number
 * may look like another one. `unchecked` is what becomes of a number that fails our check.
 */
export function accountNumberIn(
  reference: AccountReference | undefined,
  countryCode: string,
  unchecked = (bban: string) => bban,
): string | null {
  const [bban, iban] = [statedText(reference?.bban), statedText(reference?.iban)]
  const inside = iban === null ? undefined : bbanOf(iban)
  if (inside?.ok === true) {
    return inside.bban
  }
  if (bban !== null) {
    const checked = checkAccountNumber(countryCode, bban)
    return checked.ok ? checked.bban : unchecked(bban)
  }
  return iban === null ? statedText(reference?.other?.identification) : null
}

/**
 * The same for a reference that should match a known number. Ambiguous references are compared with it: a giro number
 * without hyphen or leading zeros, and a Swedish IBAN without the clearing number.
 */
export function matchAccountNumber(
  reference: AccountReference | undefined,
  expected: string,
  countryCode: string,
): string | null {
  const shown = statedText(reference?.iban) ?? statedText(reference?.bban)
  const onForm = statedText(reference?.other?.identification)
  const isSame =
    (shown !== null && spellingsOf(expected, countryCode).includes(plain(shown))) ||
    (onForm !== null && withoutZeros(onForm) === withoutZeros(expected))
  return isSame ? expected : accountNumberIn(reference, countryCode)
}

/** Everything that a bank may show for a number: its digits, possibly marked as a giro number, its IBAN, and what that contains. */
function spellingsOf(number: string, countryCode: string): readonly string[] {
  const digits = plain(number)
  const kind = kindOfCreditorNumber(number, countryCode)
  const isGiro = kind === 'bankgiro' || kind === 'plusgiro'
  const iban = isGiro ? `${prefixByGiro[kind]}${digits}` : ibanOf(countryCode, number)
  return iban === undefined ? [digits] : [digits, iban, iban.slice(4)]
}

function plain(text: string): string {
  return plainCode(text).replace(/[.:]/g, '')
}

function withoutZeros(number: string): string {
  return number.replace(/^0+/, '')
}
