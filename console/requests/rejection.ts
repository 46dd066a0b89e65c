/** Reads what was rejected from the body of an error response. */
import { parseJson } from '../../gateway/platform/parse-json.ts'

export type Rejection = { readonly code: string; readonly path: string; readonly message: string }

/** Each error of a body of any form, a plain text and what was stored before bodies listed errors included. */
export function rejectionsIn(responseBody: string | null): readonly Rejection[] {
  const body = responseBody === null ? null : parseJson(responseBody)
  const { errors } = Object(body) as { readonly errors?: unknown }
  const reported = Array.isArray(body) ? body : Array.isArray(errors) ? errors : [body]
  return reported.flatMap((error: unknown) => {
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
