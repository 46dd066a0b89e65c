/** Renders a body as JSON of limited length, with what the schema of its operation admits and nothing else. */

import type { Operation } from '../../contract/operation.ts'
import { redactAccountNumbers } from '../banks/connector/bank-text.ts'
import { type Place, partPlace, placeOf } from '../platform/http/validation/place.ts'
import { shownName } from '../platform/http/validation/unknown-fields.ts'
import { isId } from '../platform/ids.ts'
import { maskTokens, REDACTED } from '../platform/observability/log.ts'

/**
 * `open` admits whatever a schema describes and does not call `hidden`; `confidential` only structure: ids, dates, codes,
 * choices, counts and flags, which no person entered. `confidential error` admits the words of our own errors, too.
 */
export type LogPolicy = 'open' | 'confidential' | 'confidential error'

/** Of one body. An order of the largest form has 3,000 characters. */
export const BODY_CHARACTERS_MAX = 8_000
/** In place of what does not fit. */
const CUT = '…'
/** Longer ones are cut; no field of the API that a reader needs is longer. */
const TEXT_CHARACTERS_MAX = 1_000
/** A query and a fragment of a URL may hold anything. A text with blanks is a URL only where slashes follow the scheme. */
const QUERY_OF_URL = /^([a-z][a-z0-9+.-]*:(?:\/\/[^?#]*[?#]|[^?#\s]*[?#](?=\S*$))).*$/is
const CREDENTIALS_OF_URL = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i

/** Of a code or a time; longer ones are neither. */
const CODE_CHARACTERS_MAX = 40
const DAY_OR_INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

type Output = { text: string; readonly policy: LogPolicy }

/** Null without a body. Brackets are closed where the limit cuts, so that the result is JSON in any case. */
export function maskBody(body: unknown, place: Place, policy: LogPolicy): string | null {
  if (body === undefined || body === null) {
    return null
  }
  const output = { text: '', policy }
  append(output, body instanceof URLSearchParams ? Object.fromEntries(body) : body, place)
  return output.text
}

/** A text, number or flag of a body, path or query. */
function maskValue(value: unknown, place: Place, policy: LogPolicy): string {
  const isText = typeof value === 'string'
  const isCodeOrTime =
    isText &&
    value.length <= CODE_CHARACTERS_MAX &&
    (place.codes.some((code) => code.test(value)) || (place.isTime && DAY_OR_INSTANT.test(value)))
  const isUuid = isText && place.isUuid && isId(value)
  const isFlag = place.isFlag && typeof value === 'boolean'
  const isCount = place.isWholeNumber && Number.isSafeInteger(value)
  // What no person entered.
  const isStructure = isCodeOrTime || isUuid || isFlag || isCount || place.choices.has(value)
  const isAdmitted = isText
    ? place.isText || (place.isQuotableText && policy !== 'confidential error')
    : typeof value === 'number' && place.isNumber
  if (place.isHidden || !(isStructure || (isAdmitted && policy !== 'confidential'))) {
    return REDACTED
  }
  // Masked before it is cut: a token that the cut shortens would not be found.
  const masked = maskTokens(String(value).replace(QUERY_OF_URL, `$1${CUT}`).replace(CREDENTIALS_OF_URL, `$1${CUT}@`))
  const start = masked.length > TEXT_CHARACTERS_MAX ? `${masked.slice(0, TEXT_CHARACTERS_MAX)}${CUT}` : masked
  // The cut may have halved a character, which a URL cannot have.
  const text = start.toWellFormed()
  return isStructure || !isText || policy !== 'confidential error' ? text : redactAccountNumbers(text)
}

function append(output: Output, value: unknown, place: Place): void {
  if (value === null || value === undefined) {
    output.text += 'null'
    return
  }
  if (!place.isKnown || place.isHidden) {
    output.text += JSON.stringify(REDACTED)
    return
  }
  if (typeof value !== 'object') {
    const shown = maskValue(value, place, output.policy)
    output.text += typeof value === 'string' || shown === REDACTED ? JSON.stringify(shown) : shown
    return
  }
  const isList = Array.isArray(value)
  output.text += isList ? '[' : '{'
  let separator = ''
  for (const [key, part] of isList ? value.entries() : Object.entries(value)) {
    if (part === undefined && !isList) {
      continue
    }
    output.text += separator
    separator = ','
    if (output.text.length >= BODY_CHARACTERS_MAX) {
      output.text += isList ? `"${CUT}"` : `"${CUT}":"${CUT}"`
      break
    }
    const within = partPlace(place, key)
    if (typeof key === 'string') {
      output.text += `${JSON.stringify(within.isKnown ? key : shownName(key))}:`
    }
    append(output, part, within)
  }
  output.text += isList ? ']' : '}'
}

const URL_CHARACTERS_MAX = 1_000
const WHOLE_NUMBER = /^\d{1,15}$/

/** The path of the contract with its parameters, and the query. */
export function maskUrl({ path, params, query }: Operation, url: string, policy: LogPolicy): string {
  const [sentPath = '', ...sentQuery] = url.split('?')
  const words = sentPath.split('/')
  const masked = path.split('/').map((word, index) => {
    if (!word.startsWith('{')) {
      return word
    }
    const sent = words[index] ?? ''
    return isId(sent) ? sent : encoded(maskValue(decoded(sent), partPlace(placeOf(params), word.slice(1, -1)), policy))
  })
  const asked = [...new URLSearchParams(sentQuery.join('?'))].map(([name, value]) => {
    const parameter = partPlace(placeOf(query), name)
    return parameter.isKnown
      ? `${name}=${encoded(maskValue(coerced(value, parameter), parameter, policy))}`
      : `${shownName(name)}=${REDACTED}`
  })
  const text = sentQuery.length === 0 ? masked.join('/') : `${masked.join('/')}?${asked.join('&')}`
  return text.slice(0, URL_CHARACTERS_MAX)
}

/** Numbers and flags of a query are text. */
function coerced(value: string, { isFlag, isNumber }: Place): unknown {
  if (isFlag && (value === 'true' || value === 'false')) {
    return value === 'true'
  }
  return isNumber && WHOLE_NUMBER.test(value) ? Number(value) : value
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function encoded(text: string): string {
  return text.split(REDACTED).map(encodeURIComponent).join(REDACTED)
}
