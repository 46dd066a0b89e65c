/** Validates national clearing codes, which identify a bank or branch in cross-border payments without IBAN. */

import type { CheckResult } from './country.ts'
import { passesModulus11_10, weightedSum } from './number-checks.ts'

type Rule = {
  readonly description: string
  /** The normalised code; undefined if it is invalid. */
  readonly parse: (text: string) => string | undefined
}

/** The check digits of ABA numbers (ninth) and CLABEs (eighteenth) have weight 1. */
const WEIGHTS_3_7_1 = [3, 7, 1]

/** Named after the clearing system codes of ISO 20022; CLABE is Mexico's account number, which includes the bank. */
const ruleByType = {
  USABA: {
    description: 'nine digits, the last a check digit',
    parse: (text) =>
      /^(?!0{9})[0-9]{9}$/.test(text) && weightedSum(text, WEIGHTS_3_7_1) % 10 === 0 ? text : undefined,
  },
  GBDSC: {
    description: 'six digits, as in 20-06-05',
    parse: withoutHyphens(/^([0-9]{6}|[0-9]{2}-[0-9]{2}-[0-9]{2})$/),
  },
  AUBSB: { description: 'six digits, as in 062-000', parse: withoutHyphens(/^[0-9]{3}-?[0-9]{3}$/) },
  INFSC: {
    description: 'four capital letters, a zero and six capital letters or digits',
    parse: (text) => (/^[A-Z]{4}0[A-Z0-9]{6}$/.test(text) ? text : undefined),
  },
  CNAPS: {
    description: 'twelve digits, the last a check digit',
    parse: (text) => (/^[0-9]{12}$/.test(text) && passesModulus11_10(text) ? text : undefined),
  },
  CACPA: { description: 'a zero, the institution and the transit number, or 10001-004', parse: parseCanadian },
  CLABE: {
    description: 'eighteen digits, the last a check digit',
    parse: (text) => (/^[0-9]{18}$/.test(text) && weightedSum(text, WEIGHTS_3_7_1) % 10 === 0 ? text : undefined),
  },
} as const satisfies Readonly<Record<string, Rule>>

export type ClearingCodeType = keyof typeof ruleByType

export function isClearingCodeType(type: string): type is ClearingCodeType {
  return Object.hasOwn(ruleByType, type)
}

/** The code without hyphens, or why it is invalid. */
export function checkClearingCode(type: ClearingCodeType, text: string): CheckResult<'clearingCode'> {
  const { description, parse }: Rule = ruleByType[type]
  const clearingCode = parse(text)
  return clearingCode === undefined
    ? { ok: false, reason: `is not a clearing code ${type}: ${description}` }
    : { ok: true, clearingCode }
}

function withoutHyphens(form: RegExp): Rule['parse'] {
  return (text) => (form.test(text) ? text.replaceAll('-', '') : undefined)
}

/** On paper the transit number comes first; the electronic format is a zero, the institution and the transit number. */
function parseCanadian(text: string): string | undefined {
  const [, transit, institution] = /^([0-9]{5})-([0-9]{3})$/.exec(text) ?? []
  if (transit !== undefined && institution !== undefined) {
    return `0${institution}${transit}`
  }
  return /^0[0-9]{8}$/.test(text) ? text : undefined
}
