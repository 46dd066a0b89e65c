/** Checks the texts of errors and warnings: each has a subject, and none is raw output of a validator. */
import type { TSchema } from 'typebox'
import type { Operation } from '../../../contract/operation.ts'
import { fieldNameOf } from '../../platform/http/errors/api-error.ts'

/** A text, and the path of its field where the response has one. */
type MessageText = { readonly text: string; readonly path?: string }

/** Vocabulary of JSON Schema validators and programs, parts of schemas, and paths instead of field names. */
const RAW_TEXTS: readonly RegExp[] = [
  /\b(must|should) NOT\b/,
  /\b(must|should) match (a |exactly |some )?(pattern|format|schema|one schema|"(then|else)")/,
  /\b(must|should) be equal to (constant|one of the allowed values)/,
  /\b(must|should) have required propert/,
  /\b(must|should) pass "/,
  /\b(must|should) be (string|number|integer|boolean|object|array)\b/,
  /\b(unevaluated|additional|pattern)Propert|\b(any|one|all)Of\b|\b(min|max)(Length|Items|imum)\b|\b(instance|schema)Path\b/,
  /\b(Unexpected token|in JSON at position|Invalid (input|type): expected)\b/,
  /(^|[\s;:(])(body|data|query|querystring|params|headers)[/.][A-Za-z]/,
  /^[./]\w|; \.\w/,
  /\[object \w+\]|\bundefined\b|\bNaN\b/,
  // A regular expression.
  /\\[dDsSwW]|\[[A-Z]-[A-Z]|\]\{\d|\^\[|\(\?[:=!]/,
  /\bdoes not fit\b/,
]
/** The start of a sentence without a subject. */
const PREDICATE = /^(must|should|may|can|cannot|is|are|was|were|has|have|had|does|do|holds?|lies|leads|names)\b/i
const TIMESTAMP = /\b\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)/g
const EXACT_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The faults in the texts of a response, in any error format. */
export function checkMessages(operation: Operation | undefined, status: number, body: unknown): readonly string[] {
  const fields = operation === undefined ? new Set<string>() : fieldsOf(operation)
  const reported = status >= 400 ? [...errorTexts(body)] : [...warningTexts(body)]
  const byText = new Map(reported.map((message) => [message.text, message]))
  return [...byText.values()].flatMap(({ text, path }) =>
    faultsOf(text, path, fields).map((fault) => `${fault}: "${text}"`),
  )
}

function faultsOf(text: string, path: string | undefined, fields: ReadonlySet<string>): readonly string[] {
  return [
    ...(text.trim() === '' ? ['a message is empty'] : []),
    ...(RAW_TEXTS.some((raw) => raw.test(withoutFieldName(text, path)))
      ? ['a message is raw output of a validator']
      : []),
    ...(hasSubject(text, fields) ? [] : ['a message has no subject']),
    ...(path === undefined || path.startsWith('.') ? [] : [`the path ${path} does not begin with a dot`]),
    ...(text.match(TIMESTAMP) ?? [])
      .filter((timestamp) => !EXACT_TIMESTAMP.test(timestamp))
      .map((timestamp) => `the timestamp ${timestamp} is not in UTC with three decimals`),
  ]
}

/** The name of an unknown field is the sender's: `NaN` may be one. */
function withoutFieldName(text: string, path: string | undefined): string {
  const subject = path === undefined || path === '.' ? undefined : `The field ${fieldNameOf(path)} `
  return subject !== undefined && text.startsWith(subject) ? `The field ${text.slice(subject.length)}` : text
}

/** A sentence starts with a capital letter, a digit, or the name of a field of the request. */
function hasSubject(text: string, fields: ReadonlySet<string>): boolean {
  const [first = ''] = /^[\w-]*/.exec(text) ?? []
  return !PREDICATE.test(text) && (/^[\p{Lu}\p{N}“"]/u.test(text) || fields.has(first))
}

function* errorTexts(body: unknown): Iterable<MessageText> {
  if (typeof body === 'string') {
    yield { text: body }
    return
  }
  for (const part of [body].flat()) {
    const {
      message,
      reason,
      error_description: description,
      path,
      errors,
    } = Object(part) as Readonly<Record<string, unknown>>
    const messages = Array.isArray(errors) ? errors.map((error) => Object(error).message) : []
    for (const text of [message, reason, description]) {
      // The messages of several errors in one text are checked one by one, with the paths of their fields.
      if (typeof text === 'string' && (messages.length < 2 || text !== messages.join('; '))) {
        yield typeof path === 'string' ? { text, path } : { text }
      }
    }
    yield* Array.isArray(errors) ? errorTexts(errors) : []
  }
}

/** Warnings of a successful response: those of the body, or of its elements. */
function* warningTexts(body: unknown): Iterable<MessageText> {
  if (typeof body === 'object' && body !== null) {
    const { warnings } = body as { readonly warnings?: unknown }
    yield* Array.isArray(warnings) ? errorTexts(warnings) : []
    for (const member of Object.values(body)) {
      yield* Array.isArray(member) && member !== warnings ? member.flatMap((element) => [...warningTexts(element)]) : []
    }
  }
}

const fieldsByOperation = new Map<Operation, ReadonlySet<string>>()

function fieldsOf(operation: Operation): ReadonlySet<string> {
  const known = fieldsByOperation.get(operation)
  const schemas: readonly (TSchema | undefined)[] = [operation.body, operation.query, operation.params]
  const fields = known ?? new Set(schemas.flatMap((schema) => [...namesIn(schema)]))
  fieldsByOperation.set(operation, fields)
  return fields
}

function* namesIn(schema: unknown): Iterable<string> {
  if (typeof schema === 'object' && schema !== null) {
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties') {
        yield* Object.keys(value)
      }
      yield* namesIn(value)
    }
  }
}
