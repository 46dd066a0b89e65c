/** Renders a body as JSON of limited length, with what the schema of its operation admits and nothing else. */

import type { Operation } from '../../contract/operation.ts'
import { redactAccountNumbers } from '../banks/connector/bank-text.ts'
import { shownName } from '../platform/http/validation/unknown-fields.ts'
import { isId } from '../platform/ids.ts'
import { maskTokens, REDACTED } from '../platform/mask-tokens.ts'
import {
  elementSchemas,
  fieldSchemas,
  isAdmitted,
  isHidden,
  isStructure,
  type LogPolicy,
  type Schemas,
  schemasOf,
} from './admitted-values.ts'

/** In place of what does not fit. */
const CUT = '…'
/** Longer ones are cut; no field of the API that a reader needs is longer. */
const TEXT_CHARACTERS_MAX = 1_000
/** A query of a URL may hold anything. */
const QUERY_OF_URL = /^([a-z][a-z0-9+.-]*:[^?\s]*)\?\S*$/i

type Output = { text: string; readonly charactersMax: number; readonly policy: LogPolicy }

/** Null without a body. Brackets are closed where the limit cuts, so that the result is JSON in any case. */
export function maskBody(body: unknown, schemas: Schemas, policy: LogPolicy, charactersMax: number): string | null {
  if (body === undefined || body === null) {
    return null
  }
  const output = { text: '', charactersMax, policy }
  append(output, body instanceof URLSearchParams ? Object.fromEntries(body) : body, schemas)
  return output.text
}

/** One value of a header, path or query. */
export function maskValue(value: unknown, schemas: Schemas, policy: LogPolicy): string {
  if (isHidden(schemas) || !isAdmitted(schemas, policy, value)) {
    return REDACTED
  }
  const text = shownText(String(value))
  const isText = typeof value === 'string' && !schemas.some((schema) => isStructure(schema, value))
  return isText && policy === 'confidential error' ? redactAccountNumbers(text) : text
}

function append(output: Output, value: unknown, schemas: Schemas): void {
  if (value === null) {
    output.text += 'null'
  } else if (schemas.length === 0 || isHidden(schemas)) {
    output.text += JSON.stringify(REDACTED)
  } else if (Array.isArray(value)) {
    appendList(output, value, elementSchemas(schemas))
  } else if (typeof value === 'object') {
    appendObject(output, value, schemas)
  } else {
    const isText = typeof value === 'string'
    const shown = maskValue(value, schemas, output.policy)
    output.text += isText || shown === REDACTED ? JSON.stringify(shown) : String(value)
  }
}

function appendList(output: Output, list: readonly unknown[], schemas: Schemas): void {
  output.text += '['
  for (const [index, element] of list.entries()) {
    output.text += index === 0 ? '' : ','
    if (output.text.length >= output.charactersMax) {
      output.text += `"${CUT}"`
      break
    }
    append(output, element, schemas)
  }
  output.text += ']'
}

function appendObject(output: Output, object: object, schemas: Schemas): void {
  let separator = '{'
  for (const [name, value] of Object.entries(object)) {
    if (output.text.length >= output.charactersMax) {
      output.text += `${separator}"${CUT}":"${CUT}"`
      separator = ','
      break
    }
    const known = fieldSchemas(schemas, name)
    output.text += `${separator}${JSON.stringify(known.length === 0 ? shownName(name) : name)}:`
    append(output, value, known)
    separator = ','
  }
  output.text += separator === '{' ? '{}' : '}'
}

function shownText(text: string): string {
  const start = text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}${CUT}` : text
  return maskTokens(start.replace(QUERY_OF_URL, `$1?${CUT}`))
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
  const schemas = schemasOf(params)
  return template
    .split('/')
    .map((word, index) => {
      const [, name] = PARAMETER.exec(word) ?? []
      return name === undefined ? word : maskParameter(sent[index] ?? '', fieldSchemas(schemas, name), policy)
    })
    .join('/')
}

function maskParameter(sent: string, schemas: Schemas, policy: LogPolicy): string {
  return isId(sent) ? sent : encoded(maskValue(decoded(sent), schemas, policy))
}

function maskQuery({ query }: Operation, sent: string, policy: LogPolicy): string {
  const schemas = schemasOf(query)
  return [...new URLSearchParams(sent)]
    .map(([name, value]) => {
      const known = fieldSchemas(schemas, name)
      const read = coerced(value, known)
      return known.length === 0
        ? `${shownName(name)}=${REDACTED}`
        : `${name}=${encoded(maskValue(read, known, policy))}`
    })
    .join('&')
}

/** Numbers and flags of a query are text. */
function coerced(value: string, schemas: Schemas): unknown {
  const isOf = (type: string) => schemas.some((schema) => Reflect.get(schema, 'type') === type)
  if (isOf('boolean') && (value === 'true' || value === 'false')) {
    return value === 'true'
  }
  return WHOLE_NUMBER.test(value) && (isOf('integer') || isOf('number')) ? Number(value) : value
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
