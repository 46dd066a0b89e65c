/** The IBAN rules of countries whose IBAN is the account number behind the country code and two check digits. */
import { ibanCheckDigits } from './check-digits.ts'
import type { AccountBank, Checked, IbanRules } from './country.ts'

const BEFORE_BBAN = 4

/** Norway, Denmark and Finland. */
export function plainIban(
  countryCode: string,
  checkAccountNumber: (text: string) => Checked<'bban'>,
  bankOf: (bban: string) => AccountBank | undefined,
): IbanRules {
  return {
    ibanOf: (bban) => `${countryCode}${ibanCheckDigits(countryCode, bban)}${bban}`,
    bbanOf: (iban) => checkAccountNumber(iban.slice(BEFORE_BBAN)),
    checkIban(iban) {
      const checked = checkAccountNumber(iban.slice(BEFORE_BBAN))
      if (!checked.ok) {
        return checked
      }
      return checked.warning === undefined ? { ok: true, iban } : { ok: true, iban, warning: checked.warning }
    },
    bankOfIban: (iban) => bankOf(iban.slice(BEFORE_BBAN)),
  }
}
