/** Writes account numbers into the standard's account references and reads them back, whichever form a bank uses. */
import { bbanOf, checkAccountNumber, ibanOf } from '../../../../countries/account-number.ts'
import { giroKind } from '../../../../countries/sweden/giro.ts'
import type { CreditorAccount } from '../../../connector/domestic-order.ts'
import type { Dialect } from '../dialect.ts'
import type { AccountReference } from '../wire.ts'

const prefixByGiro = { bankgiro: 'BG', plusgiro: 'PG' } as const

/** The debtor's account. Its currency is for accounts that hold several; naming it elsewhere is refused by some banks. */
export function accountReference(
  account: { readonly bban: string; readonly iban: string | null },
  { accounts }: Pick<Dialect, 'accounts'>,
): AccountReference {
  // Where the bank shows nothing but an IBAN that does not hold the number, the IBAN stands for both.
  const isNamedByIban = accounts === 'iban' || account.bban === account.iban
  return isNamedByIban && account.iban !== null ? { iban: account.iban } : { bban: account.bban }
}

/** What is paid, in the bank's form. */
export function creditorReference(account: CreditorAccount, dialect: Dialect): AccountReference {
  switch (account.type) {
    case 'account':
      return accountReference(account, dialect)
    case 'bankgiro':
    case 'plusgiro':
      // Swedbank's form; the standard has none.
      return { bban: `${prefixByGiro[account.type]} ${account.number}` }
    case 'payment-form': {
      const scheme = dialect.paymentFormScheme === undefined ? {} : { schemeNameProprietary: dialect.paymentFormScheme }
      return { other: { identification: account.number, ...scheme } }
    }
  }
}

/** The number of an account as this country keeps it, or null where the reference does not tell it. */
export function numberIn(reference: AccountReference | undefined, countryCode: string): string | null {
  if (reference?.bban !== undefined) {
    const checked = checkAccountNumber(countryCode, reference.bban)
    return checked.ok ? checked.bban : reference.bban
  }
  if (reference?.iban !== undefined) {
    const inside = bbanOf(reference.iban)
    return inside.ok ? inside.bban : null
  }
  return reference?.other?.identification ?? null
}

/**
 * The same, of an account that should be a certain one. What cannot be told from the reference alone is compared with
 * it: a giro number without its hyphen or its zeros, and a Swedish IBAN that leaves the clearing number out.
 */
export function numberExpected(
  reference: AccountReference | undefined,
  expected: string,
  countryCode: string,
): string | null {
  const shown = reference?.iban ?? reference?.bban
  const onForm = reference?.other?.identification
  const isSame =
    (shown !== undefined && writingsOf(expected, countryCode).includes(plain(shown))) ||
    (onForm !== undefined && withoutZeros(onForm) === withoutZeros(expected))
  return isSame ? expected : numberIn(reference, countryCode)
}

/** All that a bank may show for a number: its digits, marked as a giro number perhaps, and its IBAN. */
function writingsOf(number: string, countryCode: string): readonly string[] {
  const digits = plain(number)
  const giro = giroKind(number)
  const iban = giro === undefined ? ibanOf(countryCode, number) : `${prefixByGiro[giro]}${digits}`
  return iban === undefined ? [digits] : [digits, iban]
}

function plain(text: string): string {
  return text.replace(/[ .:-]/g, '').toUpperCase()
}

function withoutZeros(number: string): string {
  return number.replace(/^0+/, '')
}
