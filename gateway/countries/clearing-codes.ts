/** Checks the codes by which payments abroad name a bank or branch in countries without IBAN. */
import { passesModulus11And10, weightedSum } from './check-digits.ts'
import type { Checked } from './country.ts'

type Rule = {
  readonly told: string
  /** The kept form, or undefined when the text is no such code. */
  readonly read: (text: string) => string | undefined
}

/** The check digits of ABA numbers and CLABEs, ninth and eighteenth, count once. */
const WEIGHTS_3_7_1 = [3, 7, 1]

/** After the national clearing codes of ISO 20022; CLABE is Mexico's account number, which names the bank too. */
const ruleByType = {
  USABA: {
    told: 'nine digits, the last a check digit',
    read: (text) => (/^(?!0{9})[0-9]{9}$/.test(text) && weightedSum(text, WEIGHTS_3_7_1) % 10 === 0 ? text : undefined),
  },
  GBDSC: { told: 'six digits, as in 20-06-05', read: withoutHyphens(/^([0-9]{6}|[0-9]{2}-[0-9]{2}-[0-9]{2})$/) },
  AUBSB: { told: 'six digits, as in 062-000', read: withoutHyphens(/^[0-9]{3}-?[0-9]{3}$/) },
  INFSC: {
    told: 'four capital letters, a zero and six capital letters or digits',
    read: (text) => (/^[A-Z]{4}0[A-Z0-9]{6}$/.test(text) ? text : undefined),
  },
  CNAPS: {
    told: 'twelve digits, the last a check digit',
    read: (text) => (/^[0-9]{12}$/.test(text) && passesModulus11And10(text) ? text : undefined),
  },
  CACPA: { told: 'a zero, the institution and the transit number, or 10001-004', read: canadian },
  CLABE: {
    told: 'eighteen digits, the last a check digit',
    read: (text) => (/^[0-9]{18}$/.test(text) && weightedSum(text, WEIGHTS_3_7_1) % 10 === 0 ? text : undefined),
  },
} as const satisfies Readonly<Record<string, Rule>>

export type ClearingCodeType = keyof typeof ruleByType

/** Whether a clearing code of this type is known here. */
export function isClearingCodeType(type: string): type is ClearingCodeType {
  return Object.hasOwn(ruleByType, type)
}

/** The code without hyphens, or why it is none. */
export function checkClearingCode(type: ClearingCodeType, text: string): Checked<'clearingCode'> {
  const { told, read }: Rule = ruleByType[type]
  const clearingCode = read(text)
  return clearingCode === undefined
    ? { ok: false, reason: `is not a clearing code ${type}: ${told}` }
    : { ok: true, clearingCode }
}

function withoutHyphens(form: RegExp): Rule['read'] {
  return (text) => (form.test(text) ? text.replaceAll('-', '') : undefined)
}

/** On paper the transit number comes first, in electronic form the institution does, behind a zero. */
function canadian(text: string): string | undefined {
  const [, transit, institution] = /^([0-9]{5})-([0-9]{3})$/.exec(text) ?? []
  if (transit !== undefined && institution !== undefined) {
    return `0${institution}${transit}`
  }
  return /^0[0-9]{8}$/.test(text) ? text : undefined
}
