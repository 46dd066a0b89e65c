/** Tests that a long move of the clock has the same effect as many short ones. */
import { expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, PSU } from '../testing/payments/sample-payments.ts'
import { signInNetbank } from '../testing/payments/sign-in-netbank.ts'

/** Until the next bank day is over. */
const HOURS = 36

/** All events, each subject's statuses in their order. */
async function historyOf(moves: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  const gateway = await startTestGateway()
  try {
    const subjects = await begin(gateway)
    for (const advance of moves) {
      await gateway.client.moveSandboxClock({ body: { advance } })
    }
    const found = [...subjects].map(async ([name, id]) => {
      const { rows } = await gateway.context.database.pool.query<{ reported: string }>(
        `select reported from (
           select id, concat_ws(' ', status, status_reason) as reported from payment_history where payment_id = $1
           union all select id, status from approvals where id = $1
           union all select id, status from consents where id = $1) as found order by id`,
        [id],
      )
      return [name, rows.map(({ reported }) => reported)] as const
    })
    return Object.fromEntries(await Promise.all(found))
  } finally {
    await gateway.close()
  }
}

async function begin(gateway: TestGateway): Promise<ReadonlyMap<string, string>> {
  const { client } = gateway
  const consent = await acceptedConsent(gateway)
  const subjects = new Map<string, string>()
  const tomorrow = gateway.context.clock.today('Europe/Oslo').add({ days: 1 }).toString()
  const order = async (amount: string, dueDate?: string) => {
    const money = { amount: { amount, currency: 'NOK' } } as const
    const body = domesticPayment(gateway, { ...money, ...(dueDate === undefined ? {} : { dueDate }) })
    return (await client.initiateDomesticPayment({ ...consent, body })).paymentId
  }
  const approve = (paymentId: string) =>
    client.approvePayments({ ...consent, body: { payments: [paymentId], callbackUrl: CALLBACK } })
  // The sandbox bank rejects the first, and returns the second one on the next bank day.
  const signed = [
    ['7702.00', 'today', undefined],
    ['7705.00', 'today', undefined],
    ['1250.00', 'tomorrow', tomorrow],
  ] as const
  for (const [amount, day, dueDate] of signed) {
    const paymentId = await order(amount, dueDate)
    await signInNetbank(gateway, paymentId)
    subjects.set(`${amount} signed, due ${day}`, paymentId)
  }
  subjects.set('unsigned, due today', await order('990.00'))
  subjects.set('an approval that its user leaves', (await approve(await order('880.00', tomorrow))).id)
  const started = await client.createConsent({
    psu: PSU,
    body: { bic: 'FJORNO22', organizationNumber: '987654325', userId: '01815012345', callbackUrl: CALLBACK },
  })
  return subjects.set('a consent that nobody accepts', started.id)
}

test('a long move has the same effect as short ones', async () => {
  const short = Array.from({ length: HOURS / 12 }, () => 'PT12H')
  const [inOne, inMany] = await Promise.all([historyOf([`PT${HOURS}H`]), historyOf(short)])
  expect(inOne).toEqual(inMany)
  expect(inOne).toMatchObject({
    'unsigned, due today': ['Unsigned', 'Rejected'],
    'an approval that its user leaves': ['CANCELLED'],
    'a consent that nobody accepts': ['CANCELLED'],
    '1250.00 signed, due tomorrow': expect.arrayContaining(['InProgress', 'Completed']),
    '7702.00 signed, due today': expect.arrayContaining(['Rejected']),
    '7705.00 signed, due today': expect.arrayContaining(['Completed', 'Rejected']),
  })
})
