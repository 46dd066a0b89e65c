/** Counts the statements on the tables of SCA sessions that one signature takes, with the notifications of its bank. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visitBank } from '../testing/browser/bank-user.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from '../testing/payments/sample-payments.ts'

/** Approve: 2. Page: 1. Redirect: 2. Three notifications: 3. Return: found, recorded, decided, ended. */
const STATEMENTS_MAX = 12

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

it(`a signature takes at most ${STATEMENTS_MAX} statements on the tables of SCA sessions`, async () => {
  const kari = await acceptedConsent(gateway)
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...kari, body: domesticPayment(gateway) })
  const statements = recordStatements(gateway.context.database.pool)
  const body = { payments: [paymentId], callbackUrl: CALLBACK }
  const { id: approvalId, sca } = await gateway.client.approvePayments({ ...kari, body })
  await visitBank(sca?.type === 'redirect' ? sca.url : '')
  const onScaTables = statements.filter((text) => /\bsca_(sessions|steps)\b/.test(text))
  expect(onScaTables.length).toBeLessThanOrEqual(STATEMENTS_MAX)
  expect(await gateway.client.getPaymentApproval({ ...kari, params: { approvalId } })).toMatchObject({
    status: 'ACCEPTED',
  })
})

/** The texts of the statements that are executed from now on, on any connection of the pool. */
function recordStatements(pool: pg.Pool): readonly string[] {
  const statements: string[] = []
  const recorded = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (!recorded.has(client)) {
      recorded.add(client)
      const query = client.query.bind(client)
      Object.assign(client, {
        query: (...parameters: [unknown]) => {
          statements.push(JSON.stringify(parameters[0]))
          return Reflect.apply(query, client, parameters)
        },
      })
    }
  })
  return statements
}
