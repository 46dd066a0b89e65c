/** Creates the IBAN rules of countries whose IBAN is country code, two check digits and the account number. */
import { ibanCheckDigits } from './check-digits.ts'
import type { AccountBank, CheckResult, IbanRules } from './country.ts'

const BEFORE_BBAN = 4

/** Used by Norway, Denmark and Finland. */
export function ibanRulesFromBban(
  countryCode: string,
  checkAccountNumber: (text: string) => CheckResult<'bban'>,
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
    endsInAccountNumber: true,
  }
}
