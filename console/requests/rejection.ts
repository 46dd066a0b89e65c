/** Reads what was rejected from the body of an error response. */
import { parseJson } from '../../gateway/platform/parse-json.ts'

export type Rejection = { readonly code: string; readonly path: string; readonly message: string }

/** Of validation errors, of an envelope, of a parsing error or of RFC 6749; empty for other bodies. */
export function rejectionsIn(responseBody: string | null): readonly Rejection[] {
  const body = responseBody === null ? null : parseJson(responseBody)
  return (Array.isArray(body) ? body : [body]).flatMap((error: unknown) => {
    if (typeof error === 'string') {
      return [{ code: '', path: '', message: error }]
    }
    const fields: Readonly<Record<string, unknown>> = typeof error === 'object' && error !== null ? { ...error } : {}
    const first = (...names: readonly string[]) => names.map((name) => fields[name]).find(isText) ?? ''
    const rejection = {
      code: first('code', 'failure', 'error'),
      path: first('path'),
      message: first('reason', 'message', 'error_description'),
    }
    return rejection.code === '' && rejection.message === '' ? [] : [rejection]
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
