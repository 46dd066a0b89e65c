/** Judges answers of the sandbox bank by the bank standard's own description: an opinion that shares no code with us. */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import validatorModule from 'openapi-response-validator'
import type { InspectedAnswer } from '../bank/xs2a/inspect-answers.ts'
import { answerOf, operationOf, readStandard, type Standard, type StandardAnswer } from './xs2a-standard.ts'

const formats = Object.fromEntries(Object.entries(fullFormats).map(([name, format]) => [name, asFunction(format)]))

/** The library files every schema under a status; headers have none. */
const HEADER = 200

/** What is downloaded has the shape of the list in whose place it stands; on how it is awaited the standard says nothing. */
const DOWNLOAD = /\/transactions\/download\/[^/]+$/
const ACCEPTED = 202

type Validator = InstanceType<typeof validatorModule.default>
export type Judge = (answer: InspectedAnswer) => readonly string[]

/** Makes a judge; its validators are compiled when first needed. */
export function standardJudge(): Judge {
  const standard = readStandard()
  const validators = new Map<string, Validator>()
  return (answer) => {
    const isDownload = DOWNLOAD.test(answer.path)
    if (isDownload && answer.status === ACCEPTED) {
      return []
    }
    const path = isDownload ? answer.path.replace(DOWNLOAD, '/transactions') : answer.path
    const operation = operationOf(standard, answer.method, path)
    if (operation === undefined) {
      // A wrong address or method: the standard has no word on it but the code.
      return answer.status === 404 || answer.status === 405 ? [] : ['the standard has no such operation']
    }
    const expected = answerOf(standard, operation, answer.status)
    if (expected === undefined) {
      return [`the standard does not list ${answer.status} for ${operation.operationId}`]
    }
    const key = `${operation.operationId} ${answer.status} ${mediaTypeOf(answer)}`
    return [
      ...problemsOfHeaders(standard, expected, answer, (name, make) => remember(validators, name, make)),
      ...problemsOfBody(standard, expected, answer, (make) => remember(validators, key, make)),
    ]
  }
}

type Keep = (make: () => Validator) => Validator

function problemsOfBody(
  standard: Standard,
  expected: StandardAnswer,
  answer: InspectedAnswer,
  keep: Keep,
): readonly string[] {
  if (answer.status === 204) {
    return answer.body === '' ? [] : ['204 has no body']
  }
  if (expected.content === undefined) {
    // For 406, 408, 415, 500 and 503 the standard leaves the body open.
    return []
  }
  const media = expected.content[mediaTypeOf(answer)]
  if (media === undefined) {
    return [`the media type ${mediaTypeOf(answer)} is not one of ${Object.keys(expected.content).join(', ')}`]
  }
  const validator = keep(() => validatorOf(standard, answer.status, media.schema))
  const verdict = validator.validateResponse(answer.status, JSON.parse(answer.body))
  return verdict === undefined ? [] : [JSON.stringify(verdict.errors)]
}

function problemsOfHeaders(
  standard: Standard,
  expected: StandardAnswer,
  answer: InspectedAnswer,
  keep: (name: string, make: () => Validator) => Validator,
): readonly string[] {
  return Object.entries(expected.headers ?? {}).flatMap(([name, { $ref }]) => {
    const header = standard.components.headers[$ref.split('/').at(-1) ?? '']
    const value = answer.headers[name.toLowerCase()]
    if (value === undefined) {
      return header?.required === true ? [`the header ${name} is missing`] : []
    }
    const validator = keep(`header ${name}`, () => validatorOf(standard, HEADER, headerSchema(header?.schema ?? {})))
    const verdict = validator.validateResponse(HEADER, value)
    return verdict === undefined ? [] : [`the header ${name} is ${String(value)}: ${JSON.stringify(verdict.errors)}`]
  })
}

/** Headers are texts: a boolean one says `true` or `false`. */
function headerSchema(schema: object): object {
  return 'type' in schema && schema.type === 'boolean' ? { type: 'string', enum: ['true', 'false'] } : schema
}

function validatorOf({ components }: Standard, status: number, schema: object): Validator {
  const { schemas } = components
  return new validatorModule.default({
    responses: { [status]: { schema } },
    components: { schemas },
    customFormats: formats,
  })
}

/** The library takes formats as functions only. */
function asFunction(format: unknown): (text: string) => boolean {
  if (format instanceof RegExp) {
    return (text) => format.test(text)
  }
  if (typeof format === 'function') {
    return (text) => format(text) === true
  }
  const isPair = typeof format === 'object' && format !== null && 'validate' in format
  return isPair ? asFunction(format.validate) : () => true
}

function remember(validators: Map<string, Validator>, key: string, make: () => Validator): Validator {
  const known = validators.get(key)
  if (known !== undefined) {
    return known
  }
  const made = make()
  validators.set(key, made)
  return made
}

function mediaTypeOf({ headers }: InspectedAnswer): string {
  return String(headers['content-type'] ?? '').split(';')[0] ?? ''
}
