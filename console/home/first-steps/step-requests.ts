/** The API requests of each first step: as the buttons send them, and as curl commands to copy. */

import { scopesByEnvironment } from '../../../contract/environments.ts'
import { bic, invoice, organizationNumber, userId } from '../../../contract/examples/demo-fixture.ts'
import { operations } from '../../../contract/operations.ts'
import type { ApiRequest } from './call-api.ts'
import type { FirstStep, FirstStepsState } from './find-first-steps.ts'

/** What the requests of a partner contain. */
export type RequestValues = Pick<FirstStepsState, 'requestedConsent' | 'acceptedConsent' | 'unsignedPayment'> & {
  readonly clientId: string
  readonly clientSecret: string
  readonly baseUrl: string
  /** The day in the bank's country. */
  readonly today: string
  /** Distinguishes this order from earlier ones. */
  readonly endToEndId: string
  /** The URL of the partner's webhook inbox; null without one. */
  readonly inboxUrl: string | null
}

/** The steps that requests do; the last one is done by the worker. */
export type RequestedStep = Exclude<FirstStep, 'delivered'>

const PSU = { 'PSU-IP-Address': '127.0.0.1', 'PSU-User-Agent': 'curl' }

export function tokenRequest({ clientId, clientSecret }: RequestValues): ApiRequest {
  const form = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: scopesByEnvironment.sandbox,
  }
  return { path: operations.issueToken.path, form }
}

/** Each request may name the id in the response of the one before as `$ID`. */
export function requestsOf(step: Exclude<RequestedStep, 'token'>, values: RequestValues): readonly ApiRequest[] {
  const { baseUrl, requestedConsent, acceptedConsent, unsignedPayment, inboxUrl, today, endToEndId } = values
  const callbackUrl = `${baseUrl}/console`
  const withConsent = { ...PSU, 'consent-id': acceptedConsent ?? '$CONSENT' }
  switch (step) {
    case 'consent':
      return [{ path: '/api/v2/consents', headers: PSU, json: { bic, organizationNumber, userId, callbackUrl } }]
    case 'accepted':
      return [{ path: `/api/sandbox/consents/${requestedConsent ?? '$CONSENT'}/sign`, json: {} }]
    case 'subscription':
      return [
        {
          path: '/api/webhooks/subscription',
          json: { targetUrl: inboxUrl ?? 'https://partner.example/webhooks', eventTypes: ['PAYMENT_STATUS'] },
        },
      ]
    case 'payment':
      return [
        {
          path: '/api/v2/payments',
          headers: { ...withConsent, 'Idempotency-Key': endToEndId },
          json: { ...invoice, metadata: { endToEndId }, dueDate: today },
        },
      ]
    case 'signed':
      return [
        {
          path: '/api/v2/payments/approve',
          headers: withConsent,
          json: { payments: [unsignedPayment ?? '$PAYMENT'], callbackUrl },
        },
        { path: '/api/sandbox/approvals/$ID/sign', json: {} },
      ]
  }
}

/** Lines for a shell; the token is in `$TOKEN` after the first step. */
export function commandsOf(step: RequestedStep, values: RequestValues): string {
  if (step === 'token') {
    return `TOKEN=$(${curlOf(values.baseUrl, tokenRequest(values))} \\\n  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`
  }
  const requests = requestsOf(step, values)
  return requests
    .map((request, index) => {
      const curl = curlOf(values.baseUrl, request)
      const isLast = index === requests.length - 1
      return isLast ? curl : `ID=$(${curl} \\\n  | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')`
    })
    .join('\n')
}

function curlOf(baseUrl: string, { path, headers = {}, json, form = {} }: ApiRequest): string {
  const authorization = json === undefined ? [] : [`-H "Authorization: Bearer $TOKEN"`]
  const mediaType = json === undefined ? [] : [`-H 'Content-Type: application/json'`]
  const others = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const fields = Object.entries(form).map(([name, value]) => `-d ${quoted(`${name}=${value}`)}`)
  const body = json === undefined ? [] : [`-d ${quoted(JSON.stringify(json))}`]
  return [`curl -s ${baseUrl}${path}`, ...authorization, ...mediaType, ...others, ...fields, ...body].join(' \\\n  ')
}

/** With placeholders the shell inserts values; no other value contains a quotation mark or a dollar sign. */
function quoted(text: string): string {
  return text.includes('$') ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", `'\\''`)}'`
}
