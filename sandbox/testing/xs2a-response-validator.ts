/** Validates responses of the sandbox bank against the standard's OpenAPI file, without code of the bank. */
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { InspectedAnswer } from '../bank/xs2a/inspect-answers.ts'
import { answerOf, operationOf, readXs2aStandard, type StandardAnswer, type Xs2aStandard } from './xs2a-standard.ts'

/** The standard's file as one schema, in which `$ref` names a part. */
const STANDARD = 'standard'

/** A download has the schema of the list that it replaces; the standard does not define its preparation. */
const DOWNLOAD = /\/transactions\/download\/[^/]+$/
const ACCEPTED = 202

/** What is wrong with a value by a schema of the standard; undefined when nothing is. */
type SchemaCheck = (schema: object, value: unknown) => string | undefined
export type Xs2aResponseValidator = (answer: InspectedAnswer) => readonly string[]

export function createXs2aResponseValidator(): Xs2aResponseValidator {
  const standard = readXs2aStandard()
  const check = createSchemaCheck(standard)
  return (answer) => {
    const isDownload = DOWNLOAD.test(answer.path)
    if (isDownload && answer.status === ACCEPTED) {
      return []
    }
    const path = isDownload ? answer.path.replace(DOWNLOAD, '/transactions') : answer.path
    const operation = operationOf(standard, answer.method, path)
    if (operation === undefined) {
      // For an unknown path or method the standard defines only the error code.
      return answer.status === 404 || answer.status === 405 ? [] : ['the standard has no such operation']
    }
    const expected = answerOf(standard, operation, answer.status)
    if (expected === undefined) {
      return [`the standard does not list ${answer.status} for ${operation.operationId}`]
    }
    return [...headerErrors(standard, expected, answer, check), ...bodyErrors(expected, answer, check)]
  }
}

function bodyErrors(expected: StandardAnswer, answer: InspectedAnswer, check: SchemaCheck): readonly string[] {
  if (answer.status === 204) {
    return answer.body === '' ? [] : ['204 has no body']
  }
  if (expected.content === undefined) {
    // For 406, 408, 415, 500 and 503 the standard does not define the body.
    return []
  }
  const media = expected.content[mediaTypeOf(answer)]
  if (media === undefined) {
    return [`the media type ${mediaTypeOf(answer)} is not one of ${Object.keys(expected.content).join(', ')}`]
  }
  const error = check(media.schema, JSON.parse(answer.body))
  return error === undefined ? [] : [error]
}

function headerErrors(
  standard: Xs2aStandard,
  expected: StandardAnswer,
  answer: InspectedAnswer,
  check: SchemaCheck,
): readonly string[] {
  return Object.entries(expected.headers ?? {}).flatMap(([name, { $ref }]) => {
    const header = standard.components.headers[$ref.split('/').at(-1) ?? '']
    const value = answer.headers[name.toLowerCase()]
    if (value === undefined) {
      return header?.required === true ? [`the header ${name} is missing`] : []
    }
    const error = check(headerSchema(header?.schema ?? {}), value)
    return error === undefined ? [] : [`the header ${name} is ${String(value)}: ${error}`]
  })
}

/** Header values are strings: a boolean one is `true` or `false`. */
function headerSchema(schema: object): object {
  return 'type' in schema && schema.type === 'boolean' ? { type: 'string', enum: ['true', 'false'] } : schema
}

/** A schema is compiled on first use: hundreds of answers have the same eighty. */
function createSchemaCheck({ components: { schemas } }: Xs2aStandard): SchemaCheck {
  const ajv = addFormats.default(new Ajv({ allErrors: true, strict: false }))
  ajv.addSchema({ $id: STANDARD, components: { schemas } })
  const validators = new Map<string, ValidateFunction>()
  return (schema, value) => {
    const text = JSON.stringify(schema)
    const validate = validators.getOrInsertComputed(text, () =>
      ajv.compile(JSON.parse(text.replaceAll('"#/', `"${STANDARD}#/`))),
    )
    return validate(value) ? undefined : JSON.stringify(validate.errors)
  }
}

function mediaTypeOf({ headers }: InspectedAnswer): string {
  return String(headers['content-type'] ?? '').split(';')[0] ?? ''
}
