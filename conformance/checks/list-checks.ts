/** Checks the list of payments: pages without gaps and repetitions, filters, and their errors. */
import { type Check, type CheckContext, documentedIn } from '../check.ts'
import { errorProblems, problemsOfEach, require, requireNone } from '../expectations.ts'
import { orderPayment, settledPayment, uniqueName } from '../subjects/payments.ts'
import { serverTime, subject } from '../subjects/subject.ts'

const LISTED = 5
const PER_PAGE = 2
const INVALID: readonly (readonly [name: string, value: string])[] = [
  ['limit', '0'],
  ['limit', '501'],
  ['limit', 'ten'],
  ['status', 'Paid'],
  ['fromDate', '2026-02-30'],
  ['updatedSince', 'yesterday'],
  ['cursor', '!'],
]

/** Payments with one endToEndId, which no other payment has. */
const listed = subject(async (context: CheckContext) => {
  const endToEndId = uniqueName()
  const ids: string[] = []
  for (let ordered = 0; ordered < LISTED; ordered++) {
    ids.push((await orderPayment(context, { metadata: { endToEndId } })).initiated.paymentId)
  }
  return { endToEndId, ids }
})

async function pagesOf(context: CheckContext, endToEndId: string) {
  const pages: (readonly string[])[] = []
  let cursor: string | undefined
  do {
    const query = { endToEndId, limit: PER_PAGE, cursor }
    const { payments, nextCursor } = await context.succeed('listPayments', { query })
    pages.push(payments.map(({ paymentId }) => paymentId))
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined && pages.length <= LISTED)
  return pages
}

export const LIST_CHECKS: readonly Check[] = documentedIn('API reference: listPayments', [
  {
    id: 'lists-pages',
    title: 'Pages have every payment once',
    rule: 'Following nextCursor returns each payment exactly once, in the order of the whole list, and ends with null.',
    run: async (context) => {
      const { endToEndId, ids } = await listed(context)
      const pages = await pagesOf(context, endToEndId)
      const found = pages.flat()
      const whole = await context.succeed('listPayments', { query: { endToEndId } })
      requireNone([
        ...ids.filter((id) => !found.includes(id)).map((id) => `The pages lack ${id}`),
        ...found.filter((id, index) => found.indexOf(id) !== index).map((id) => `The pages have ${id} again`),
        ...pages.filter((page) => page.length > PER_PAGE).map((page) => `A page has ${page.length} payments`),
        found.join() === whole.payments.map(({ paymentId }) => paymentId).join() ||
          'The pages have another order than the whole list',
        whole.nextCursor === null || 'nextCursor of the last page is not null',
      ])
    },
  },
  {
    id: 'lists-filter-end-to-end-id',
    title: 'The list is filtered by endToEndId',
    rule: 'Only payments with exactly this endToEndId are listed; an unknown one gives an empty list.',
    run: async (context) => {
      const { endToEndId, ids } = await listed(context)
      const { payments } = await context.succeed('listPayments', { query: { endToEndId } })
      const others = payments.filter(({ metadata }) => metadata.endToEndId !== endToEndId)
      const none = await context.succeed('listPayments', { query: { endToEndId: uniqueName() } })
      requireNone([
        (payments.length === ids.length && others.length === 0) ||
          `${payments.length} payments are listed, ${others.length} of them with another endToEndId; expected ${ids.length}`,
        none.payments.length === 0 || `${none.payments.length} payments are listed for an unknown endToEndId`,
      ])
    },
  },
  {
    id: 'lists-filter-status',
    title: 'The list is filtered by status',
    rule: 'Only payments that have the status are listed.',
    run: async (context) => {
      const { endToEndId, ids } = await listed(context)
      const { status: actual } = await context.succeed('getPaymentStatus', { params: { paymentId: ids[0] ?? '' } })
      const same = await context.succeed('listPayments', { query: { endToEndId, status: actual } })
      const completed = await context.succeed('listPayments', { query: { endToEndId, status: 'Completed' } })
      requireNone([
        same.payments.length === ids.length || `${same.payments.length} payments are ${actual}, expected ${ids.length}`,
        ...completed.payments
          .filter(({ paymentStatus }) => paymentStatus.status !== 'Completed')
          .map(({ paymentStatus }) => `A payment is listed as Completed that is ${paymentStatus.status}`),
      ])
    },
  },
  {
    id: 'lists-filter-time',
    title: 'The list is filtered by day and by change',
    rule: 'fromDate and toDate are inclusive days in UTC; updatedSince lists what changed at this time or later.',
    run: async (context) => {
      const { endToEndId, ids } = await listed(context)
      const day = (await serverTime(context)).toZonedDateTimeISO('UTC').toPlainDate()
      const [yesterday, tomorrow] = [day.subtract({ days: 2 }).toString(), day.add({ days: 2 }).toString()]
      const later = `${tomorrow}T00:00:00.000Z`
      const cases = [
        [{ fromDate: yesterday, toDate: tomorrow }, ids.length],
        [{ fromDate: tomorrow }, 0],
        [{ toDate: yesterday }, 0],
        [{ updatedSince: `${yesterday}T00:00:00.000Z` }, ids.length],
        [{ updatedSince: later }, 0],
      ] as const
      for (const [query, expected] of cases) {
        const { payments } = await context.succeed('listPayments', { query: { endToEndId, ...query } })
        require(payments.length ===
          expected, `${JSON.stringify(query)} lists ${payments.length} payments, expected ${expected}`)
      }
    },
  },
  {
    id: 'lists-filter-company',
    title: 'The list is filtered by company',
    rule: 'Only payments of the company with this organisation number are listed.',
    run: async (context) => {
      const { endToEndId, ids } = await listed(context)
      const [payment] = (await context.succeed('listPayments', { query: { endToEndId } })).payments
      const { organizationNumber } = payment?.from ?? {}
      const own = await context.succeed('listPayments', { query: { endToEndId, organizationNumber } })
      const other = await context.succeed('listPayments', { query: { endToEndId, organizationNumber: '974760673' } })
      require(own.payments.length ===
        ids.length, `${own.payments.length} payments of the company are listed, expected ${ids.length}`)
      require(other.payments.length === 0, `${other.payments.length} payments are listed for another company`)
    },
  },
  {
    id: 'lists-element',
    title: 'A payment in the list is as it is alone',
    rule: 'Amount, status, times and parties are the same in the list and in the payment.',
    run: async (context) => {
      const { order, initiated } = await settledPayment(context)
      const { paymentId } = initiated
      const alone: object = await context.succeed('getPayment', { params: { paymentId } })
      const { payments } = await context.succeed('listPayments', { query: { endToEndId: order.metadata.endToEndId } })
      const element: object = payments.find((payment) => payment.paymentId === paymentId) ?? {}
      const different = Object.entries(element).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(new Map(Object.entries(alone)).get(name)),
      )
      require(Object.keys(element).length > 0, 'The list lacks the payment')
      requireNone(different.map(([name]) => `${name} of the list differs from that of the payment`))
    },
  },
  {
    id: 'lists-invalid-query',
    title: 'Invalid filters are reported',
    rule: 'A filter with an invalid value is 422 InvalidRequest with its path, and is not ignored.',
    run: async (context) => {
      const problems = await problemsOfEach(INVALID, async ([name, value]) => {
        const answer = await context.call('listPayments', { query: { [name]: value } })
        return errorProblems(answer, 422, 'InvalidRequest', `.${name}`)
      })
      requireNone(problems)
    },
  },
])
