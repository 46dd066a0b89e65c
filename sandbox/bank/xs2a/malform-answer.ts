/** Malforms fields of a response as real banks do: null, blank or of another shape. */
import { text } from 'node:stream/consumers'
import { parseJson } from '../../../gateway/platform/parse-json.ts'
import type { Xs2aAnswer } from './xs2a-call.ts'

export const MALFORMED_MODES = ['null', 'blank', 'other-shape'] as const
export type MalformedMode = (typeof MALFORMED_MODES)[number]

/** Which fields are malformed, by name; without names, all that no third party can rely on. */
export type Malformation = { readonly mode: MalformedMode; readonly fields?: readonly string[] | undefined }

/** The status of a resource and what identifies it or its amounts; and what a user needs for signing. */
const KEPT: ReadonlySet<string> = new Set([
  ...['transactionStatus', 'paymentId', 'consentStatus', 'consentId', 'scaStatus', 'authorisationId', 'basketId'],
  ...['accounts', 'resourceId', 'iban', 'bban', 'identification', 'currency', 'amount', 'balances', 'balanceType'],
  ...['balanceAmount', 'transactions', 'booked', 'pending', 'transactionAmount', 'bookingDate', 'transactionsDetails'],
  ...['transactionDetails', 'payments', 'debtorAccount', 'creditorAccount', 'instructedAmount'],
])
/** What a user's app needs. */
const WHOLE: ReadonlySet<string> = new Set(['challengeData'])
/** The links that have to be followed. */
const FOLLOWED: ReadonlySet<string> = new Set(['scaRedirect', 'scaOAuth', 'confirmation', 'next', 'download'])

/** The response with malformed fields; a stream is read completely. */
export async function malformAnswer(answer: Xs2aAnswer, malformation: Malformation): Promise<Xs2aAnswer> {
  const { stream, ...rest } = answer
  const body: unknown = stream === undefined ? answer.body : parseJson(await text(stream))
  return body === undefined ? answer : { ...rest, body: Object(malform(body, malformation)) }
}

function malform(value: unknown, malformation: Malformation): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => malform(element, malformation))
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  // By the links of a list of entries one knows whether it goes on.
  const isKept = (name: string) => name === '_links' && malformation.fields === undefined && 'booked' in value
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => {
    if (!isKept(name) && isMalformed(name, field, malformation)) {
      return [name, malformed(field, malformation.mode)]
    }
    return [name, WHOLE.has(name) || FOLLOWED.has(name) ? field : malform(field, malformation)]
  })
  return Object.fromEntries(fields)
}

function isMalformed(name: string, field: unknown, { fields }: Malformation): boolean {
  if (fields !== undefined) {
    return fields.includes(name)
  }
  const isFollowed = name === '_links' && Object.keys(Object(field)).some((link) => FOLLOWED.has(link))
  return !(isFollowed || KEPT.has(name) || WHOLE.has(name) || FOLLOWED.has(name))
}

function malformed(field: unknown, mode: MalformedMode): unknown {
  switch (mode) {
    case 'null':
      return null
    case 'blank':
      return Array.isArray(field) ? [] : typeof field === 'object' ? {} : ''
    case 'other-shape':
      return typeof field === 'object' ? 'a text' : [field]
  }
}
