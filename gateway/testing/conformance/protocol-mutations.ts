/** Mutations of the protocol: tokens, errors, headers, and the forms of values. */
import { jsonOf, type Mutation } from './mutating-proxy.ts'
import { changeBody, changeValues, isTo } from './mutation-steps.ts'

const TOKEN = /^\/v2\/connect\/token$/
const PAYMENTS = /^\/api\/v2\/payments$/
const PAYMENT = /^\/api\/v2\/payments\/[0-9a-f-]{36}$/

let issued = ''

export const PROTOCOL_MUTATIONS: readonly Mutation[] = [
  {
    id: 'cached-token',
    fault: 'The response with the token may be cached',
    foundBy: ['authentication-token-issued'],
    response: ({ headers }, sent) => {
      if (isTo(sent, 'POST', TOKEN)) {
        delete headers['cache-control']
      }
    },
  },
  {
    id: 'client-error-as-400',
    fault: 'A wrong secret is answered with 400 in place of 401',
    foundBy: ['authentication-token-secret', 'authentication-token-client'],
    response: (received, sent) => {
      received.status = isTo(sent, 'POST', TOKEN) && received.status === 401 ? 400 : received.status
    },
  },
  {
    id: 'no-challenge',
    fault: 'A 401 has no WWW-Authenticate',
    foundBy: ['authentication-bearer-missing', 'authentication-bearer-malformed'],
    response: ({ headers }) => {
      delete headers['www-authenticate']
    },
  },
  {
    id: 'unverified-token',
    fault: 'The signature of a token is not verified',
    foundBy: ['authentication-bearer-changed'],
    request: ({ headers }) => {
      const { authorization = '' } = headers
      if (/^Bearer ey/.test(authorization) && issued !== '') {
        headers['authorization'] = `Bearer ${issued}`
      }
    },
    response: (received, sent) => {
      issued = isTo(sent, 'POST', TOKEN) ? String(jsonOf(received.body)['access_token'] ?? issued) : issued
    },
  },
  {
    id: 'token-in-query',
    fault: 'A token is accepted in the query',
    foundBy: ['authentication-bearer-query'],
    request: ({ headers, path }) => {
      const token = new URL(path, 'http://proxy').searchParams.get('access_token')
      if (token !== null) {
        headers['authorization'] = `Bearer ${token}`
      }
    },
  },
  {
    id: 'other-key-published',
    fault: 'The key set has another key than the one that signs',
    foundBy: ['authentication-token-signature'],
    response: changeBody('GET', /jwks\.json$/, (body) => {
      body['keys'] = [body['keys']].flat().map((key) => ({ ...Object(key), kid: 'former' }))
    }),
  },
  {
    id: 'unknown-as-empty',
    fault: 'An unknown payment is answered with 200 and an empty object',
    foundBy: ['errors-unknown-id'],
    response: (received, sent) => {
      if (received.status === 404 && isTo(sent, 'GET', PAYMENT)) {
        received.status = 200
        received.body = '{}'
      }
    },
  },
  {
    id: 'first-error-only',
    fault: 'Only the first error of a request is reported',
    foundBy: ['values-all-errors'],
    response: (received) => {
      received.body = received.status === 422 ? JSON.stringify(JSON.parse(received.body).slice(0, 1)) : received.body
    },
  },
  {
    id: 'path-without-dot',
    fault: 'Paths of errors do not begin with a dot',
    foundBy: ['fields-initiateDomesticPayment', 'values-amount'],
    response: changeValues(
      (name, value) => (name === 'path' && typeof value === 'string' ? value.replace(/^\./, '') : value),
      ({ status }) => status >= 400,
    ),
  },
  {
    id: 'no-allow',
    fault: 'A 405 has no Allow',
    foundBy: ['errors-method'],
    response: ({ headers }) => {
      delete headers['allow']
    },
  },
  {
    id: 'any-media-type',
    fault: 'A body of any media type is parsed as JSON',
    foundBy: ['errors-media-type'],
    request: ({ headers }) => {
      headers['content-type'] =
        headers['content-type'] === 'text/plain' ? 'application/json' : (headers['content-type'] ?? '')
    },
  },
  {
    id: 'details-unasked',
    fault: 'Errors have details that the request did not ask for',
    foundBy: ['errors-default-form'],
    request: ({ headers }) => {
      headers['prefer'] = 'errors=detailed'
    },
  },
  {
    id: 'no-details',
    fault: 'Errors have no details for who asks for them',
    foundBy: ['errors-detailed-form', 'errors-unknown-id'],
    request: ({ headers }) => {
      delete headers['prefer']
    },
  },
  {
    id: 'no-help',
    fault: 'Errors have no link to their page',
    foundBy: ['errors-default-form'],
    response: ({ headers }) => {
      delete headers['link']
    },
  },
  {
    id: 'error-page',
    fault: 'An unknown path is answered with the HTML page of a server in front',
    foundBy: ['errors-unknown-path'],
    response: (received, { path }) => {
      if (received.status === 404 && path.includes('no-such-path')) {
        received.headers['content-type'] = 'text/html'
        received.body = '<html><h1>404 Not Found</h1></html>'
      }
    },
  },
  {
    id: 'consent-error-as-403',
    fault: 'A missing consent-id is answered with 403',
    foundBy: ['errors-consent-missing'],
    response: (received, { headers }) => {
      received.status =
        headers['consent-id'] === undefined && received.body.includes('INVALID_CONSENT') ? 403 : received.status
    },
  },
  {
    id: 'request-id-of-errors-only',
    fault: 'Only errors have a request id',
    foundBy: ['headers-request-id'],
    response: (received) => {
      if (received.status < 400) {
        delete received.headers['svc-request-id']
      }
    },
  },
  {
    id: 'other-request-id',
    fault: 'svcRequestId of an error is another than that of the header',
    foundBy: ['headers-request-id-in-errors'],
    response: changeValues((name, value) => (name === 'svcRequestId' ? '01a207a2-0000-7000-8000-000000000000' : value)),
  },
  {
    id: 'seconds-without-decimals',
    fault: 'Timestamps have no decimals',
    foundBy: ['schemas-getPayment', 'schemas-getConsent'],
    response: changeValues((_name, value) =>
      typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z$/, '$1Z') : value,
    ),
  },
  {
    id: 'amount-as-number',
    fault: 'Amounts of payments are JSON numbers',
    foundBy: ['payments-shown-as-ordered', 'schemas-getPayment'],
    response: changeBody('GET', PAYMENT, (body) => {
      const amount = Object(body['amount'])
      body['amount'] = { ...amount, amount: Number(amount.amount) }
    }),
  },
  {
    id: 'status-in-capitals',
    fault: 'Statuses of payments are in capitals',
    foundBy: ['schemas-getPaymentStatus', 'payments-status-agrees'],
    response: changeBody('GET', /\/status$/, (body) => {
      body['status'] = String(body['status']).toUpperCase()
    }),
  },
  {
    id: 'null-reason',
    fault: 'Absent fields are null',
    foundBy: ['schemas-initiateDomesticPayment'],
    response: changeBody('POST', PAYMENTS, (body) => {
      body['paymentStatus'] = { statusReason: null, ...Object(body['paymentStatus']) }
    }),
  },
  {
    id: 'created-as-201',
    fault: 'A payment is answered with 201',
    foundBy: ['schemas-initiateDomesticPayment', 'payments-ordered'],
    response: (received, sent) => {
      received.status = received.status === 200 && isTo(sent, 'POST', PAYMENTS) ? 201 : received.status
    },
  },
  {
    id: 'foreign-payment-forbidden',
    fault: 'A payment of another partner is answered with 403, so that its id is known to exist',
    foundBy: ['authentication-payment-of-another-partner'],
    response: (received, sent) => {
      const isForeign = !sent.path.includes('00000000-0000-7000-8000')
      received.status = received.status === 404 && isForeign && isTo(sent, 'GET', PAYMENT) ? 403 : received.status
    },
  },
]
