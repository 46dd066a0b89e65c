/** Mutations of what becomes of orders: values, idempotency, statuses, lists, payrolls, entries and exchange. */
import { jsonOf, type Mutation, type Received } from './mutating-proxy.ts'
import { changeBody, changeRequest, ignoreQuery, isTo, listAt, objectAt } from './mutation-steps.ts'

const PAYMENTS = /^\/api\/v2\/payments$/
const PAYMENT = /^\/api\/v2\/payments\/[0-9a-f-]{36}$/

const stored = new Map<string, Received>()

export const ORDER_MUTATIONS: readonly Mutation[] = [
  {
    id: 'wrong-check-digit-accepted',
    fault: 'Account numbers with a wrong check digit are accepted',
    foundBy: ['values-creditor-account'],
    request: (sent) => {
      sent.body = sent.body.replaceAll('80501200012', '80501200011')
    },
  },
  {
    id: 'amount-rounded',
    fault: 'Amounts with too many decimals are rounded',
    foundBy: ['values-amount'],
    request: (sent) => {
      sent.body = sent.body.replaceAll('"1.005"', '"1.01"')
    },
  },
  {
    id: 'past-due-date-moved',
    fault: 'A due date in the past is taken as a later day',
    foundBy: ['values-due-date'],
    request: (sent) => {
      sent.body = sent.body.replaceAll('"2020-01-15"', '"2026-12-01"')
    },
  },
  {
    id: 'key-ignored',
    fault: 'Idempotency-Key is ignored',
    foundBy: ['idempotency-replay', 'idempotency-concurrent'],
    request: ({ headers }) => {
      delete headers['idempotency-key']
    },
  },
  {
    id: 'key-without-body',
    fault: 'A key returns the stored response whatever the body is',
    foundBy: ['idempotency-other-body'],
    response: (received, { headers }) => {
      const key = headers['idempotency-key']
      const former = key === undefined ? undefined : stored.get(key)
      if (key !== undefined && received.status === 200) {
        stored.set(key, { ...received })
      } else if (former !== undefined) {
        Object.assign(received, former, { headers: { ...former.headers, 'idempotent-replayed': 'true' } })
      }
    },
  },
  {
    id: 'replay-not-marked',
    fault: 'A repeated response has no Idempotent-Replayed',
    foundBy: ['idempotency-replay'],
    response: ({ headers }) => {
      delete headers['idempotent-replayed']
    },
  },
  {
    id: 'always-success',
    fault: 'The user always returns with status=success',
    foundBy: ['payments-approval-rejected', 'payments-approval-left'],
    response: changeBody('POST', /^\/api\/sandbox\/approvals\//, (body) => {
      body['callback'] = String(body['callback']).replace(/status=\w+/, 'status=success')
    }),
  },
  {
    id: 'never-final',
    fault: 'A completed payment is not final',
    foundBy: ['payments-settled'],
    response: changeBody('GET', PAYMENT, (body) => {
      body['finalStatus'] = false
    }),
  },
  {
    id: 'history-reversed',
    fault: 'The history of statuses has the newest first',
    foundBy: ['payments-settled'],
    response: changeBody('GET', PAYMENT, (body) => {
      body['statusHistory'] = listAt(body, 'statusHistory').toReversed()
    }),
  },
  {
    id: 'page-repeats',
    fault: 'A page begins with the last payment of the page before',
    foundBy: ['lists-pages'],
    response: async (received, sent, forward) => {
      if (isTo(sent, 'GET', PAYMENTS) && sent.path.includes('cursor=')) {
        const first = await forward({ ...sent, path: sent.path.replace(/&?cursor=[^&]*/, '') })
        const repeated = listAt(jsonOf(first.body), 'payments').slice(-1)
        const body = jsonOf(received.body)
        received.body = JSON.stringify({ ...body, payments: [...repeated, ...listAt(body, 'payments')].slice(0, 2) })
      }
    },
  },
  {
    id: 'page-skips',
    fault: 'Each further page lacks its first payment',
    foundBy: ['lists-pages'],
    response: changeBody('GET', PAYMENTS, (body, { path }) => {
      body['payments'] = path.includes('cursor=') ? listAt(body, 'payments').slice(1) : body['payments']
    }),
  },
  {
    id: 'limit-ignored',
    fault: 'limit is ignored',
    foundBy: ['lists-pages', 'lists-invalid-query'],
    request: ignoreQuery(PAYMENTS, 'limit'),
  },
  {
    id: 'filter-ignored',
    fault: 'The filters by day and by change are ignored',
    foundBy: ['lists-filter-time'],
    request: ignoreQuery(PAYMENTS, 'fromDate', 'toDate', 'updatedSince'),
  },
  {
    id: 'company-filter-ignored',
    fault: 'The filter by company is ignored',
    foundBy: ['lists-filter-company'],
    request: ignoreQuery(PAYMENTS, 'organizationNumber'),
  },
  {
    id: 'completed-cancelled',
    fault: 'The cancellation of a completed payment is reported as accepted',
    foundBy: ['cancellations-final'],
    response: changeBody('POST', /^\/api\/v2\/payments\/cancel$/, (body) => {
      body['cancellationRequestStatus'] = 'ACCEPTED'
      body['reason'] = null
    }),
  },
  {
    id: 'salaries-reordered',
    fault: 'The transactions of a payroll are in another order',
    foundBy: ['payrolls-ordered'],
    response: changeBody('POST', /^\/api\/v2\/payroll$/, (body) => {
      body['transactions'] = listAt(body, 'transactions').toReversed()
    }),
  },
  {
    id: 'total-as-float',
    fault: 'The total of a payroll is computed with binary fractions',
    foundBy: ['payrolls-listed'],
    response: changeBody('GET', /^\/api\/v2\/payroll$/, (body) => {
      for (const payroll of listAt(body, 'payrolls')) {
        Object.assign(objectAt(payroll, 'totalAmount'), { amount: '2.7499999999999996' })
      }
    }),
  },
  {
    id: 'debit-negative',
    fault: 'The amount of a debit is negative',
    foundBy: ['accounts-entries'],
    response: changeBody('GET', /\/entries$/, (body) => {
      for (const entry of listAt(body, 'accountEntries').filter(({ type }) => type === 'DEBIT')) {
        const posted = objectAt(entry, 'postedAmount')
        posted['amount'] = -Number(posted['amount'])
      }
    }),
  },
  {
    id: 'rate-inverted',
    fault: 'exchangeRate is that of the other direction',
    foundBy: ['exchange-buy'],
    response: changeBody('POST', /^\/api\/fx\/payments$/, (body) => {
      body['exchangeRate'] = (1 / Number(body['exchangeRate'])).toFixed(9)
    }),
  },
  {
    id: 'unknown-field-rejected',
    fault: 'Unknown fields of a request are rejected',
    foundBy: ['values-tolerant'],
    request: changeRequest('POST', PAYMENTS, (body) => {
      body['amount'] = Object.hasOwn(body, 'laterField') ? null : body['amount']
    }),
  },
  {
    id: 'revoked-consent-accepted',
    fault: 'A consent that the partner has revoked stays ACCEPTED',
    foundBy: ['consents-revoked'],
    response: changeBody('GET', /^\/api\/v2\/consents$/, (body) => {
      body['status'] = body['status'] === 'REVOKED' ? 'ACCEPTED' : body['status']
    }),
  },
]
