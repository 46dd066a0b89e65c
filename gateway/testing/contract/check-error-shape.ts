/** Checks that an error has the shape that all errors share, whatever the form of its body. */
import { ERROR_CATALOGUE } from '../../../contract/errors/error-catalogue.ts'

const catalogue: Readonly<Record<string, { readonly statuses: readonly number[] }>> = ERROR_CATALOGUE

/** The faults of the body of a response of 400 or more; plain text has no shape. */
export function checkErrorShape(status: number, body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) {
    return []
  }
  if (Array.isArray(body)) {
    return body.flatMap((element) => [...catalogueFaults(status, element.code), ...detailFaults(element)])
  }
  const { code, message, svcRequestId, errors, error_uri: uri = '' } = body as Readonly<Record<string, unknown>>
  return [
    ...catalogueFaults(status, code),
    ...(typeof message === 'string' ? [] : ['it has no message']),
    ...(typeof svcRequestId === 'string' ? [] : ['it has no svcRequestId']),
    ...(uri === '' || String(uri).endsWith(`/docs/errors#${code}`) ? [] : ['error_uri documents another code']),
    ...(Array.isArray(errors) && errors.length > 0 ? errors.flatMap(detailFaults) : ['it lists no errors']),
  ]
}

function catalogueFaults(status: number, code: unknown): readonly string[] {
  const statuses = catalogue[String(code)]?.statuses ?? []
  return statuses.includes(status) ? [] : [`the catalogue has no ${code} with ${status}`]
}

function detailFaults(detail: unknown): readonly string[] {
  const { code, path, message, docs } = Object(detail) as Readonly<Record<string, unknown>>
  return [
    ...(typeof message === 'string' && message.trim() !== '' ? [] : [`the error ${code} has no message`]),
    ...(typeof path === 'string' ? [] : [`the error ${code} has no path`]),
    ...(String(docs).endsWith(`/docs/errors#${code}`) ? [] : [`docs of ${code} does not name its entry`]),
  ]
}
