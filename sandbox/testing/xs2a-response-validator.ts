/** Validates responses of the sandbox bank against the standard's OpenAPI file, without code of the bank. */
import type { InspectedAnswer } from '../bank/xs2a/inspect-answers.ts'
import { createSchemaCheck, type SchemaCheck, textSchema } from './xs2a-schema-check.ts'
import {
  answerOf,
  DOWNLOAD,
  operationOf,
  readXs2aStandard,
  type StandardAnswer,
  type Xs2aStandard,
} from './xs2a-standard.ts'

const ACCEPTED = 202

export type Xs2aResponseValidator = (answer: InspectedAnswer) => readonly string[]

export function createXs2aResponseValidator(): Xs2aResponseValidator {
  const standard = readXs2aStandard()
  const check = createSchemaCheck(standard)
  return (answer) => {
    if (answer.status === ACCEPTED && DOWNLOAD.test(answer.path)) {
      // The standard does not define the preparation of a download.
      return []
    }
    const operation = operationOf(standard, answer.method, answer.path)
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
    const error = check(textSchema(header?.schema ?? {}), value)
    return error === undefined ? [] : [`the header ${name} is ${String(value)}: ${error}`]
  })
}

function mediaTypeOf({ headers }: InspectedAnswer): string {
  return String(headers['content-type'] ?? '').split(';')[0] ?? ''
}
