/** Validates a response against the contract: its status is documented, and its body matches the schema. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { errorBodyOf } from '../../contract/errors/error-bodies.ts'
import type { Operation } from '../../contract/operation.ts'
import { type Answer, describeAnswer } from '../http/exchange.ts'

const ACCEPTED = 202
/** Any operation may reject the method, the size or the media type of a request. */
const ANY_OPERATION = [405, 406, 408, 413, 415]
const PROBLEMS_SHOWN_MAX = 5
/** Each schema validates a few responses only, for which optimising its code takes longer than it saves. */
const code = { optimize: false }
const ajv = new Ajv({ strict: false, allErrors: true, discriminator: true, verbose: true, code })
addFormats.default(ajv)
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
/** Some schemas are created for each response. */
const validators = new Map<string, ValidateFunction>()

/** What differs from the contract; empty for a response of no operation. */
export function answerProblems(answer: Answer): readonly string[] {
  const { operation } = answer
  if (operation === undefined || answer.request.method !== operation.method) {
    return []
  }
  return bodyProblems(operation, answer, ANY_OPERATION).map((problem) => `${describeAnswer(answer)}: ${problem}`)
}

/** What of a response is validated. */
export type ValidatedAnswer = Pick<Answer, 'operation' | 'status' | 'headers' | 'text' | 'body'>

export function isSuccess({ operation, status }: Pick<Answer, 'operation' | 'status'>): boolean {
  return status === operation?.answer.status || (status === ACCEPTED && operation?.answer.continuesWith !== undefined)
}

/** What differs in status, media type, body and codes; `undocumented` may be the status of any operation. */
export function bodyProblems(
  operation: Operation,
  answer: ValidatedAnswer,
  undocumented: readonly number[],
): readonly string[] {
  const { status, text, body } = answer
  const mediaType = answer.headers.get('content-type')?.split(';')[0] ?? ''
  if (isSuccess(answer) && Object.hasOwn(operation.answer.otherForms ?? {}, mediaType)) {
    return []
  }
  if (operation.plainTextErrors?.some((plain) => plain === status)) {
    return mediaType === 'text/plain' && text !== '' ? [] : ['the body must be plain text']
  }
  const schema = isSuccess(answer) ? operation.answer.schema : errorBodyOf(operation, status)
  if (schema === undefined) {
    return undocumented.includes(status) ? [] : [`the operation does not document the status ${status}`]
  }
  if (schema === null) {
    return text === '' ? [] : ['the response must have no body']
  }
  if (body === undefined || mediaType !== 'application/json') {
    return [`the body must be application/json, not ${mediaType || 'without a media type'}`]
  }
  return [...schemaProblems(`${operation.id} ${status}`, schema, body), ...undocumentedCodes(operation, status, body)]
}

/** What of a value violates a schema of the contract; `key` identifies the schema. */
export function schemaProblems(key: string, schema: TSchema, value: unknown): readonly string[] {
  const validate = validators.get(key) ?? ajv.compile(schema)
  validators.set(key, validate)
  return validate(value) ? [] : problemsOf(validate.errors ?? [])
}

function problemsOf(errors: readonly ErrorObject[]): readonly string[] {
  const problems = errors.map(({ instancePath, message, data }) => {
    const value = typeof data === 'string' || typeof data === 'number' ? `, not ${JSON.stringify(data)}` : ''
    return `${instancePath.replaceAll('/', '.') || 'the body'} ${message ?? 'is invalid'}${value}`
  })
  const more = problems.length - PROBLEMS_SHOWN_MAX
  return more > 0 ? [...problems.slice(0, PROBLEMS_SHOWN_MAX), `and ${more} more`] : problems
}

function undocumentedCodes({ validation }: Operation, status: number, body: unknown): readonly string[] {
  const codes = status === 422 && Array.isArray(body) ? body.map((element) => String(Object(element).code)) : []
  const documented: readonly string[] = validation
  return codes
    .filter((code) => !documented.includes(code))
    .map((code) => `the operation does not document the code ${code}`)
}
