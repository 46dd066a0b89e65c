/** Renders a body as JSON of limited length, with what the schema of its operation admits and nothing else. */

import type { Operation } from '../../contract/operation.ts'
import { redactAccountNumbers } from '../banks/connector/bank-text.ts'
import { elementPlace, fieldPlace, type Place, placeOf } from '../platform/http/validation/place.ts'
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
/** A query of a URL may hold anything. */
const QUERY_OF_URL = /^([a-z][a-z0-9+.-]*:[^?\s]*)\?\S*$/i

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
  const isStructure = isStructureOf(place, value)
  const isAdmitted =
    typeof value === 'string'
      ? place.isText || (place.isQuotableText && policy !== 'confidential error')
      : typeof value === 'number' && place.isNumber
  if (place.isHidden || !(isStructure || (isAdmitted && policy !== 'confidential'))) {
    return REDACTED
  }
  // Masked before it is cut: a token that the cut shortens would not be found.
  const masked = maskTokens(String(value).replace(QUERY_OF_URL, `$1?${CUT}`))
  const start = masked.length > TEXT_CHARACTERS_MAX ? `${masked.slice(0, TEXT_CHARACTERS_MAX)}${CUT}` : masked
  // The cut may have halved a character, which a URL cannot have.
  const text = start.toWellFormed()
  return isStructure || typeof value !== 'string' || policy !== 'confidential error' ? text : redactAccountNumbers(text)
}

/** Whether it is what no person entered. */
function isStructureOf(place: Place, value: unknown): boolean {
  if (typeof value !== 'string') {
    const isFlag = place.isFlag && typeof value === 'boolean'
    return isFlag || (place.isWholeNumber && Number.isSafeInteger(value)) || place.choices.has(value)
  }
  const isShort = value.length <= CODE_CHARACTERS_MAX
  const isTime = isShort && place.isTime && DAY_OR_INSTANT.test(value)
  const isCode = isShort && place.codes.some((code) => code.test(value))
  return isTime || isCode || (place.isUuid && isId(value)) || place.choices.has(value)
}

function append(output: Output, value: unknown, place: Place): void {
  if (value === null || value === undefined) {
    output.text += 'null'
  } else if (!place.isKnown || place.isHidden) {
    output.text += JSON.stringify(REDACTED)
  } else if (Array.isArray(value)) {
    appendList(output, value, elementPlace(place))
  } else if (typeof value === 'object') {
    appendObject(output, value, place)
  } else {
    const shown = maskValue(value, place, output.policy)
    output.text += typeof value === 'string' || shown === REDACTED ? JSON.stringify(shown) : shown
  }
}

function appendList(output: Output, list: readonly unknown[], elements: Place): void {
  output.text += '['
  for (const [index, element] of list.entries()) {
    output.text += index === 0 ? '' : ','
    if (output.text.length >= BODY_CHARACTERS_MAX) {
      output.text += `"${CUT}"`
      break
    }
    append(output, element, elements)
  }
  output.text += ']'
}

function appendObject(output: Output, object: object, place: Place): void {
  let separator = '{'
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) {
      continue
    }
    if (output.text.length >= BODY_CHARACTERS_MAX) {
      output.text += `${separator}"${CUT}":"${CUT}"`
      separator = ','
      break
    }
    const field = fieldPlace(place, name)
    output.text += `${separator}${JSON.stringify(field.isKnown ? name : shownName(name))}:`
    append(output, value, field)
    separator = ','
  }
  output.text += separator === '{' ? '{}' : '}'
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
    return isId(sent) ? sent : encoded(maskValue(decoded(sent), fieldPlace(placeOf(params), word.slice(1, -1)), policy))
  })
  const asked = [...new URLSearchParams(sentQuery.join('?'))].map(([name, value]) => {
    const parameter = fieldPlace(placeOf(query), name)
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
