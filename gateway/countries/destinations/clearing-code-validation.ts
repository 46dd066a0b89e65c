/** Validates the national clearing code, where a country requires one with the account number. */

import { withPlainSeparators } from '../../platform/copied-text.ts'
import { checkClearingCode, isClearingCodeType } from '../clearing-codes.ts'
import type { CheckResult } from '../country.ts'
import type { CountryRequirements } from './country-requirements.ts'
import { type Destination, errorFinding, type Findings, NO_FINDINGS } from './destination.ts'

type ClearingCode = NonNullable<CountryRequirements['clearingCode']>

/** With an IBAN, the clearing code is ignored, because the IBAN identifies the bank. */
export function validateClearingCode(
  { clearingCode: givenCode = '' }: Destination['account'],
  { name, clearingCode: rule }: CountryRequirements,
  isIban: boolean,
): Findings {
  if (rule === undefined || isIban) {
    return NO_FINDINGS
  }
  if (givenCode.trim() === '') {
    return rule.required === 'never'
      ? NO_FINDINGS
      : errorFinding({
          part: 'clearingCode',
          fault: { kind: 'clearing-code-missing' },
          reason: `is missing: payments to ${name} require it (${rule.name}, as in ${rule.example})`,
        })
  }
  const checked = checkClearingCodeOf(givenCode, rule)
  return checked.ok
    ? NO_FINDINGS
    : errorFinding({
        part: 'clearingCode',
        fault: { kind: 'clearing-code-malformed' },
        reason: `${checked.reason}, as in ${rule.example}`,
      })
}

/** The code without separators, or why it is invalid. */
export function checkClearingCodeOf(
  givenCode: string,
  { scheme, name, pattern }: ClearingCode,
): CheckResult<'clearingCode'> {
  const text = withPlainSeparators(givenCode).replaceAll(' ', '')
  if (isClearingCodeType(scheme)) {
    return checkClearingCode(scheme, text)
  }
  return new RegExp(pattern).test(text)
    ? { ok: true, clearingCode: text.replaceAll('-', '') }
    : { ok: false, reason: `is not a clearing code: ${name}` }
}
