/** Checks that an error has exactly the documented fields, or the shape that all detailed errors share. */
import { ERROR_CATALOGUE } from '../../../contract/errors/error-catalogue.ts'
import type { Operation } from '../../../contract/operation.ts'

type Fields = Readonly<Record<string, unknown>>

const catalogue: Readonly<Record<string, { readonly statuses: readonly number[] }>> = ERROR_CATALOGUE
const HELP = /^<http[^>]*\/docs\/errors#(\w+)>; rel="help"$/
const ORDER_URL = /\/api\/v2\/(?:payments\/([^/]+)|payroll\/([^/]+)\/status)$/

/** The faults of a response of 400 or more; plain text has no shape. No operation is at an unknown path. */
export function checkErrorShape(
  operation: Operation | undefined,
  answer: { readonly status: number; readonly headers: Headers },
  body: unknown,
): readonly string[] {
  const { status, headers } = answer
  const [, documented] = HELP.exec(headers.get('link') ?? '') ?? []
  const faults = catalogueFaults(status, documented)
  if (typeof body !== 'object' || body === null) {
    return faults
  }
  const isDetailed = /\berrors=detailed$/.test(headers.get('preference-applied') ?? '')
  return [
    ...faults,
    ...(headers.get('vary') === 'prefer' ? [] : ['it does not vary by Prefer']),
    ...locationFaults(headers, body as Fields, isDetailed),
    ...(isDetailed ? detailedFaults(status, body) : documentedFaults(operation, status, body)),
  ]
}

function detailedFaults(status: number, body: object): readonly string[] {
  if (Array.isArray(body)) {
    return body.flatMap((element) => [...catalogueFaults(status, element.code), ...detailFaults(element)])
  }
  const { code, message, svcRequestId, errors, error_uri: uri = '' } = body as Fields
  return [
    ...catalogueFaults(status, code),
    ...(typeof message === 'string' ? [] : ['it has no message']),
    ...(typeof svcRequestId === 'string' ? [] : ['it has no svcRequestId']),
    ...(uri === '' || String(uri).endsWith(`/docs/errors#${code}`) ? [] : ['error_uri documents another code']),
    ...(Array.isArray(errors) && errors.length > 0 ? errors.flatMap(detailFaults) : ['it lists no errors']),
  ]
}

/** The fields as the published API has them, in their order. */
function documentedFaults(operation: Operation | undefined, status: number, body: object): readonly string[] {
  const found = [body].flat().map((element) => Object.keys(element).join())
  const expected = new RegExp(`^(${fieldsOf(operation, status, body).join('|')})$`)
  return [...new Set(found)]
    .filter((fields) => !expected.test(fields))
    .map((fields) => `it has the fields ${fields} in place of ${expected.source}`)
}

function fieldsOf(operation: Operation | undefined, status: number, body: object): readonly string[] {
  const { errorFormat, malformed }: Pick<Operation, 'errorFormat' | 'malformed'> = operation ?? {}
  if (Array.isArray(body) || (malformed === 'parsing-error' && status === 400)) {
    return ['code,reason,path']
  }
  if (errorFormat === 'oauth') {
    return ['error,error_description']
  }
  return [
    'svcRequestId,message',
    ...(status === 400 ? ['failure,svcRequestId,message'] : []),
    ...[codedFields[String((body as Fields)['failure'])] ?? []].flat(),
  ]
}

const codedFields: Readonly<Record<string, string>> = {
  INACTIVE_SUBSCRIPTION: 'failure,svcRequestId',
  COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS: 'failure,svcRequestId,message',
  ONBOARDING_NOT_FOUND: 'failure,svcRequestId,message',
  COMPANY_ALREADY_EXISTS: 'failure,svcRequestId,message,additionalInformation',
}

/** An order that an error names is named by its URL and its message in both forms. */
function locationFaults(headers: Headers, body: Fields, isDetailed: boolean): readonly string[] {
  const location = headers.get('location')
  const [, paymentId, payrollId] = ORDER_URL.exec(location ?? '') ?? []
  const id = paymentId ?? payrollId
  return [
    ...(location === null || id !== undefined ? [] : [`its Location ${location} is no order`]),
    ...(id === undefined || String(body['message']).includes(id) ? [] : ['its message does not name the order']),
    ...(isDetailed && (body['paymentId'] !== paymentId || body['payrollId'] !== payrollId)
      ? ['its Location is not that of the order it names']
      : []),
  ]
}

function catalogueFaults(status: number, code: unknown): readonly string[] {
  const statuses = catalogue[String(code)]?.statuses ?? []
  return statuses.includes(status) ? [] : [`the catalogue has no ${code} with ${status}`]
}

function detailFaults(detail: unknown): readonly string[] {
  const { code, path, message, docs } = Object(detail) as Fields
  return [
    ...(typeof message === 'string' && message.trim() !== '' ? [] : [`the error ${code} has no message`]),
    ...(typeof path === 'string' ? [] : [`the error ${code} has no path`]),
    ...(String(docs).endsWith(`/docs/errors#${code}`) ? [] : [`docs of ${code} does not name its entry`]),
  ]
}
