/** Tests the operator task about a row that a sweep cannot process: raised once, closed when the row was processed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NO_PARTNER_ID, processRow } from '../platform/jobs/process-row.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { updateFailedRowMetrics } from './failed-row-tasks.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const ROW = { sweep: 'payrolls', partnerId: NO_PARTNER_ID, rowId: 'row 1' }
const unreadable = () => Promise.reject(Object.assign(new RangeError('IBAN NO9386011117947 is wrong'), { code: 'X1' }))

beforeEach(() => gateway.context.database.pool.query('truncate failed_rows, operator_tasks'))

async function fail(times: number): Promise<void> {
  for (let attempt = 0; attempt < times; attempt += 1) {
    await processRow(gateway.context, { ...ROW, hasFailed: attempt > 0 }, unreadable, async () => undefined)
  }
  await gateway.sweep()
}

async function tasks() {
  const { rows } = await gateway.context.database.pool.query(
    "select status, detail, resolution from operator_tasks where kind = 'RowFails' order by created_at",
  )
  return rows
}

async function failing() {
  const { metrics } = gateway.context
  await updateFailedRowMetrics(gateway.context)
  return (await metrics.failedRows.get()).values.map(({ labels, value }) => [labels.sweep, value])
}

describe('a row that a sweep cannot process', () => {
  test('is counted from its first failure, and an operator task after the third, which is raised once', async () => {
    await fail(2)
    expect([await failing(), await tasks()]).toEqual([[['payrolls', 1]], []])
    await fail(1)
    await fail(4)
    const detail = { sweep: 'payrolls', row: 'row 1', failures: 3, error: 'RangeError X1', since: expect.any(String) }
    expect(await tasks()).toEqual([{ status: 'open', detail, resolution: null }])
    expect(gateway.logLines().filter((line) => line.includes('a row of a sweep failed'))).toHaveLength(1)
  })

  test('is not raised again once an operator has resolved its task', async () => {
    await fail(3)
    await gateway.context.database.pool.query("update operator_tasks set status = 'resolved'")
    await fail(1)
    expect(await tasks()).toMatchObject([{ status: 'resolved' }])
  })

  test('is no task any more when it was processed', async () => {
    await fail(3)
    await processRow(
      gateway.context,
      { ...ROW, hasFailed: true },
      async () => undefined,
      async () => undefined,
    )
    await gateway.sweep()
    expect(await tasks()).toMatchObject([{ status: 'resolved', resolution: { reason: 'the row was processed' } }])
    expect(await failing()).toEqual([])
  })

  test('is no task any more when it has not failed for a day', async () => {
    await fail(3)
    gateway.passWallTime(25 * 3600)
    await gateway.sweep()
    expect(await tasks()).toMatchObject([{ status: 'resolved' }])
    expect(await failing()).toEqual([])
  })
})
