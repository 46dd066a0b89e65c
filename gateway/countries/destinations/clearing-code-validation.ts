/** Judges the code by which a country's banks know each other, where it demands one beside the account number. */
import { checkClearingCode, isClearingCodeType } from '../clearing-codes.ts'
import type { Checked } from '../country.ts'
import { withPlainSeparators } from '../separators.ts'
import type { CountryRequirements } from './country-requirements.ts'
import { type Destination, type Findings, NOTHING_FOUND, wrong } from './destination.ts'

type ClearingCode = NonNullable<CountryRequirements['clearingCode']>

/** An IBAN names the bank: whatever stands beside it is not looked at. */
export function judgeClearingCode(
  { clearingCode: told = '' }: Destination['account'],
  { name, clearingCode: needed }: CountryRequirements,
  isIban: boolean,
): Findings {
  if (needed === undefined || isIban) {
    return NOTHING_FOUND
  }
  if (told.trim() === '') {
    return needed.required === 'never'
      ? NOTHING_FOUND
      : wrong({
          part: 'clearingCode',
          fault: { kind: 'clearing-code-missing' },
          reason: `is missing: payments to ${name} need it (${needed.name}, as in ${needed.example})`,
        })
  }
  const checked = checkCode(told, needed)
  return checked.ok
    ? NOTHING_FOUND
    : wrong({
        part: 'clearingCode',
        fault: { kind: 'clearing-code-malformed' },
        reason: `${checked.reason}, as in ${needed.example}`,
      })
}

/** The code without separators, or why it is none. */
export function checkCode(told: string, { scheme, name, pattern }: ClearingCode): Checked<'clearingCode'> {
  const text = withPlainSeparators(told).replaceAll(' ', '')
  if (isClearingCodeType(scheme)) {
    return checkClearingCode(scheme, text)
  }
  return new RegExp(pattern).test(text)
    ? { ok: true, clearingCode: text.replaceAll('-', '') }
    : { ok: false, reason: `is not a clearing code: ${name}` }
}
