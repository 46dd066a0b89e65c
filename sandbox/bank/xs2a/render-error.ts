/** Renders an error in the bank's format: A, the standard's own, or B, problem details (RFC 7807). */
import { Xs2aError, type Xs2aErrorMessage } from '../xs2a-error.ts'

export type RenderedError = { readonly status: number; readonly contentType: string; readonly body: object }

/** The standard's maximum length of a text. */
const TEXT_MAX_LENGTH = 500
const TITLE_MAX_LENGTH = 70

/** Any other error than `Xs2aError` is a bug, and is returned without detail. */
export function renderXs2aError(error: unknown, errorFormat: 'A' | 'B'): RenderedError {
  const rejection = error instanceof Xs2aError ? error : internalError()
  return errorFormat === 'A' ? formatA(rejection) : formatB(rejection)
}

function internalError(): Xs2aError {
  return new Xs2aError(500, [{ code: 'INTERNAL_SERVER_ERROR', text: 'The bank had an internal error' }])
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
