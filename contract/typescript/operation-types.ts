/** Writes the operations as TypeScript: what each takes, and the method that performs it. */

import { type Components, type JsonObject, writeSchema } from '../openapi/schemas.ts'
import type { Operation } from '../operation.ts'
import { docComment, member, objectType, typeOf } from './schema-types.ts'

const INDENT = '  '

/** The type of the argument of an operation: exactly its inputs. */
export function callType(entry: Operation, components: Components): string {
  const members = [
    ...headerMembers(entry),
    ...parameters('params', entry.params, components),
    ...parameters('query', entry.query, components),
    ...(entry.body === undefined ? [] : [member('body', written(entry.body, components, INDENT), required())]),
  ]
  const inputs = members.length === 0 ? '' : ` & ${objectType(members, '')}`
  return `${docComment([`The argument of \`${entry.id}\`.`])}export type ${callName(entry)} = CallOptions${inputs}\n`
}

/** The method of an operation; its argument is optional where no input is required. */
export function methodType(entry: Operation, components: Components): string {
  const { schema, otherForms } = entry.answer
  const answer = schema === null ? 'void' : written(schema, components, INDENT)
  const argument = `call${hasRequiredInput(entry) ? '' : '?'}: ${callName(entry)}`
  const forms = Object.keys(otherForms ?? {}).map((mediaType) => `'${mediaType}'`)
  const streamed = `call: ${callName(entry)} & { accept: ${forms.join(' | ')} }`
  const methods = [
    `${comment(entry)}${INDENT}${entry.id}(${argument}): Promise<${answer}>\n`,
    ...(forms.length === 0
      ? []
      : [
          docComment(
            ['The response in another format, as a stream of bytes. A stream that fails is incomplete.'],
            INDENT,
          ),
          `${INDENT}${entry.id}(${streamed}): Promise<ReadableStream<Uint8Array>>\n`,
        ]),
  ]
  // TypeScript selects the first overload that fits.
  return forms.length === 0 ? methods.join('') : [...methods.slice(1), ...methods.slice(0, 1)].join('')
}

function comment(entry: Operation): string {
  const where = entry.sandboxOnly ? 'Exists in the sandbox only.' : undefined
  return docComment([`${entry.summary}: \`${entry.method} ${entry.path}\`.`, entry.description, where], INDENT)
}

function callName({ id }: Operation): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}Call`
}

/** The inputs that travel as headers. */
function headerMembers({ admits, psu, idempotent }: Operation): readonly string[] {
  return [
    ...(admits === 'consent' ? [member('consentId', 'string', required('The consent of the request.'))] : []),
    ...(psu === 'required' ? [member('psu', 'PsuSession', required("The user's present session."))] : []),
    ...(psu === 'optional'
      ? [
          member(
            'psu',
            'PsuSession | undefined',
            absent("The user's present session; absent when the user is not there."),
          ),
        ]
      : []),
    ...(idempotent
      ? [
          member(
            'idempotencyKey',
            'string | undefined',
            absent('Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent.'),
          ),
        ]
      : []),
  ]
}

function parameters(part: 'params' | 'query', schema: Operation['params'], components: Components): readonly string[] {
  if (schema === undefined) {
    return []
  }
  const type = written(schema, components, INDENT)
  const isRequired = (schema.required ?? []).length > 0
  return [member(part, isRequired ? type : `${type} | undefined`, { optional: !isRequired, indent: INDENT })]
}

function hasRequiredInput({ admits, psu, params, query, body }: Operation): boolean {
  const isRequired = (schema: Operation['params']) => (schema?.required ?? []).length > 0
  return admits === 'consent' || psu === 'required' || body !== undefined || isRequired(params) || isRequired(query)
}

function written(schema: Parameters<typeof writeSchema>[0], components: Components, indent: string): string {
  const json: JsonObject = writeSchema(schema, components)
  return typeOf(json, indent)
}

const required = (description?: string) => ({ description, optional: false, indent: INDENT })
const absent = (description: string) => ({ description, optional: true, indent: INDENT })
