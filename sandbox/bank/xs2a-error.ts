/** The bank's errors over XS2A: a status, and one or more messages with the standard's codes, rendered in the bank's format. */

/** One message of an error; `path` names the field that it concerns. */
export type Xs2aErrorMessage = { readonly code: string; readonly text: string; readonly path?: string }

/** Thrown by operations; only the XS2A server renders it. */
export class Xs2aError extends Error {
  readonly status: number
  readonly messages: readonly Xs2aErrorMessage[]

  constructor(status: number, messages: readonly Xs2aErrorMessage[]) {
    super(messages.map(({ code, text }) => `${code}: ${text}`).join('; '))
    this.name = 'Xs2aError'
    this.status = status
    this.messages = messages
  }
}

/** An error with one message: `throw xs2aError(409, 'STATUS_INVALID', '…')`. */
export function xs2aError(status: number, code: string, text: string, path?: string): Xs2aError {
  return new Xs2aError(status, [path === undefined ? { code, text } : { code, text, path }])
}

/** A format error, to be collected with others. */
export function formatErrorMessage(path: string, text: string): Xs2aErrorMessage {
  return { code: 'FORMAT_ERROR', text, path }
}

/** A format error of a condition that is not met; none otherwise. */
export function errorUnless(isMet: boolean, path: string, text: string): readonly Xs2aErrorMessage[] {
  return isMet ? [] : [formatErrorMessage(path, text)]
}

/** Maximum number of messages per error. */
const MESSAGES_MAX = 100

/** Throws when there are errors, all of them at once up to a limit. */
export function throwIfAnyMessage(validationErrors: readonly Xs2aErrorMessage[]): void {
  if (validationErrors.length > 0) {
    throw new Xs2aError(400, validationErrors.slice(0, MESSAGES_MAX))
  }
}

type BodyCheck<Body> = { Check(value: unknown): value is Body; Errors(value: unknown): readonly FormError[] }

/** A body that has its schema; throws all errors at once, up to a limit. */
export function requireBody<Body>(check: BodyCheck<Body>, body: unknown): Body {
  if (check.Check(body)) {
    return body
  }
  throwIfAnyMessage(schemaErrorMessages(check.Errors(body)))
  throw new Error('A body that fails its schema has no error')
}

type RenderedError = { readonly status: number; readonly contentType: string; readonly body: object }

/** The standard's maximum length of a text. */
const TEXT_MAX_LENGTH = 500
const TITLE_MAX_LENGTH = 70

/** Any other error than `Xs2aError` is a bug, and is returned without detail. */
export function renderXs2aError(error: unknown, errorFormat: 'A' | 'B'): RenderedError {
  const rejection =
    error instanceof Xs2aError
      ? error
      : new Xs2aError(500, [{ code: 'INTERNAL_SERVER_ERROR', text: 'The bank had an internal error' }])
  return errorFormat === 'A' ? formatA(rejection) : formatB(rejection)
}

function formatA({ status, messages }: Xs2aError): RenderedError {
  const tppMessages = messages.map(({ code, text, path }) => ({
    category: 'ERROR',
    code,
    ...(path === undefined ? {} : { path }),
    text: text.slice(0, TEXT_MAX_LENGTH),
  }))
  return { status, contentType: 'application/json', body: { tppMessages } }
}

function formatB({ status, messages }: Xs2aError): RenderedError {
  const [first, ...others] = messages.map(validationError)
  const body = {
    type: `https://www.berlin-group.org/xs2a/${first?.code}`,
    ...first,
    ...(others.length === 0 ? {} : { additionalErrors: others }),
  }
  return { status, contentType: 'application/problem+json', body }
}

/** Format B has no field for the path; banks that use it prefix the detail with it. */
function validationError({ code, text, path }: Xs2aErrorMessage): { title: string; detail: string; code: string } {
  const detail = path === undefined ? text : `${path}: ${text}`
  return { title: text.slice(0, TITLE_MAX_LENGTH), detail: detail.slice(0, TEXT_MAX_LENGTH), code }
}

type FormError = { readonly instancePath: string; readonly keyword: string; readonly message: string; params: unknown }

/** One message per error and per missing field; the path is dotted, e.g. `instructedAmount.amount`. */
function schemaErrorMessages(errors: readonly FormError[]): readonly Xs2aErrorMessage[] {
  return errors.flatMap((error) => {
    const path = error.instancePath.slice(1).replaceAll('/', '.')
    const missing = missingFields(error)
    return missing.length === 0
      ? [formatErrorMessage(path === '' ? 'body' : path, error.message)]
      : missing.map((name) => formatErrorMessage(path === '' ? name : `${path}.${name}`, 'is missing'))
  })
}

function missingFields({ params }: FormError): readonly string[] {
  const isListed = typeof params === 'object' && params !== null && 'requiredProperties' in params
  return isListed && Array.isArray(params.requiredProperties) ? params.requiredProperties.map(String) : []
}
