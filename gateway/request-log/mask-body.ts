/** Renders a body as JSON of limited length, with what the schema of its operation admits and nothing else. */

import type { Operation } from '../../contract/operation.ts'
import { redactAccountNumbers } from '../banks/connector/bank-text.ts'
import { shownName } from '../platform/http/validation/unknown-fields.ts'
import { isId } from '../platform/ids.ts'
import { maskTokens, REDACTED } from '../platform/observability/log.ts'
import {
  elementPlace,
  fieldPlace,
  isDescribed,
  isStructure,
  type LogPolicy,
  type Place,
  placeOf,
} from './admitted-values.ts'

/** In place of what does not fit. */
const CUT = '…'
/** Longer ones are cut; no field of the API that a reader needs is longer. */
const TEXT_CHARACTERS_MAX = 1_000
/** A query of a URL may hold anything. */
const QUERY_OF_URL = /^([a-z][a-z0-9+.-]*:[^?\s]*)\?\S*$/i

type Output = { text: string; readonly charactersMax: number; readonly policy: LogPolicy }

/** Null without a body. Brackets are closed where the limit cuts, so that the result is JSON in any case. */
export function maskBody(body: unknown, place: Place, policy: LogPolicy, charactersMax: number): string | null {
  if (body === undefined || body === null) {
    return null
  }
  const output = { text: '', charactersMax, policy }
  append(output, body instanceof URLSearchParams ? Object.fromEntries(body) : body, place)
  return output.text
}

/** One value of a header, path or query. */
export function maskValue(value: unknown, place: Place, policy: LogPolicy): string {
  const isContent = !isStructure(place, value)
  if (place.isHidden || (isContent && !isDescribed(place, policy, value))) {
    return REDACTED
  }
  const whole = String(value)
  const start = whole.length > TEXT_CHARACTERS_MAX ? `${whole.slice(0, TEXT_CHARACTERS_MAX)}${CUT}` : whole
  const text = maskTokens(start.replace(QUERY_OF_URL, `$1?${CUT}`))
  return isContent && typeof value === 'string' && policy === 'confidential error' ? redactAccountNumbers(text) : text
}

function append(output: Output, value: unknown, place: Place): void {
  if (value === null) {
    output.text += 'null'
  } else if (!place.isKnown || place.isHidden) {
    output.text += JSON.stringify(REDACTED)
  } else if (Array.isArray(value)) {
    appendList(output, value, elementPlace(place))
  } else if (typeof value === 'object') {
    appendObject(output, value, place)
  } else {
    const isText = typeof value === 'string'
    const shown = maskValue(value, place, output.policy)
    output.text += isText || shown === REDACTED ? JSON.stringify(shown) : String(value)
  }
}

function appendList(output: Output, list: readonly unknown[], elements: Place): void {
  output.text += '['
  for (const [index, element] of list.entries()) {
    output.text += index === 0 ? '' : ','
    if (output.text.length >= output.charactersMax) {
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
    if (output.text.length >= output.charactersMax) {
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

const CHARACTERS_MAX = 1_000
const PARAMETER = /^\{(\w+)\}$/
const WHOLE_NUMBER = /^\d{1,15}$/

export function maskUrl(operation: Operation, url: string, policy: LogPolicy): string {
  const [path = '', ...query] = url.split('?')
  const masked = maskPath(operation, path, policy)
  const shown = query.length === 0 ? masked : `${masked}?${maskQuery(operation, query.join('?'), policy)}`
  return shown.slice(0, CHARACTERS_MAX)
}

/** The words of the path are those of the contract, whatever their case was. */
function maskPath({ path: template, params }: Operation, path: string, policy: LogPolicy): string {
  const sent = path.split('/')
  const place = placeOf(params)
  return template
    .split('/')
    .map((word, index) => {
      const [, name] = PARAMETER.exec(word) ?? []
      return name === undefined ? word : maskParameter(sent[index] ?? '', fieldPlace(place, name), policy)
    })
    .join('/')
}

function maskParameter(sent: string, place: Place, policy: LogPolicy): string {
  return isId(sent) ? sent : encoded(maskValue(decoded(sent), place, policy))
}

function maskQuery({ query }: Operation, sent: string, policy: LogPolicy): string {
  const place = placeOf(query)
  return [...new URLSearchParams(sent)]
    .map(([name, value]) => {
      const parameter = fieldPlace(place, name)
      return parameter.isKnown
        ? `${name}=${encoded(maskValue(coerced(value, parameter), parameter, policy))}`
        : `${shownName(name)}=${REDACTED}`
    })
    .join('&')
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
