/** Renders path and query of a request: parameters as far as the contract admits them, and nothing of what it does not know. */
import type { Operation } from '../../contract/operation.ts'
import { shownName } from '../platform/http/validation/unknown-fields.ts'
import { isId } from '../platform/ids.ts'
import { REDACTED } from '../platform/mask-tokens.ts'
import { fieldSchemas, type LogPolicy, type Schemas, schemasOf } from './admitted-values.ts'
import { maskValue } from './mask-body.ts'

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
