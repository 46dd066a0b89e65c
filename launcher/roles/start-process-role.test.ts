/** Tests the process roles: each does its part, reports its health, and ends on a signal. */

import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../gateway/config/config.ts'
import type { Context } from '../../gateway/context.ts'
import { openLog } from '../../gateway/platform/observability/log.ts'
import { freePorts } from '../../gateway/testing/gateway/free-ports.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../gateway/testing/payments/sample-payments.ts'
import { openContext } from './open-context.ts'
import { type ProcessRole, type RunningProcess, startProcessRole } from './start-process-role.ts'

let gateway: TestGateway
const running: RunningProcess[] = []
const contexts: Context[] = []
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((role) => role.stop()))
})
afterAll(() => gateway.close())

async function start(role: ProcessRole, changes: Partial<Config> = {}): Promise<RunningProcess> {
  // The inbox of the gateway that runs already has its port.
  const config = { ...gateway.config, port: 0, workerPort: 0, sandboxInboxUrl: null, ...changes }
  const opened = await openContext(config, openLog({ program: role, level: 'silent' }), {
    program: role,
    processMetrics: false,
  })
  const started = await startProcessRole(role, opened)
  running.push(started)
  contexts.push(opened.context)
  return started
}

/** Changes the list of applied migrations meanwhile. */
async function withMigrations(change: string, work: () => Promise<void>): Promise<void> {
  const { pool } = gateway.context.database
  await pool.query(`create table applied as select * from migrations; ${change}`)
  try {
    await work()
  } finally {
    await pool.query('delete from migrations; insert into migrations select * from applied; drop table applied')
  }
}

async function statusAt(role: RunningProcess, path: string): Promise<number> {
  return (await fetch(`${role.address}${path}`)).status
}

describe('every role', () => {
  it('does not start on a database that lacks a migration, and says how to migrate', async () => {
    await withMigrations('delete from migrations where number = (select max(number) from migrations)', async () => {
      await expect(start('worker')).rejects.toThrow('run havn migrate')
    })
  })

  it('closes its pool when it loses the database while it opens its context', async () => {
    const { pool } = gateway.context.database
    const end = vi.spyOn(pg.Pool.prototype, 'end')
    await pool.query('alter table business_clock rename to business_clock_away')
    try {
      await expect(start('worker')).rejects.toThrow('business_clock')
      expect(end).toHaveBeenCalledOnce()
    } finally {
      await pool.query('alter table business_clock_away rename to business_clock')
      end.mockRestore()
    }
  })

  it.each(['gateway', 'worker'] as const)(
    'as %s reports that it is live and ready, and its metrics, also on the database of a newer release',
    async (name) => {
      await withMigrations("insert into migrations values (9999, '9999-later.sql')", async () => {
        const role = await start(name)
        const statuses = await Promise.all(['/healthz', '/readyz', '/metrics'].map((path) => statusAt(role, path)))
        expect(statuses).toEqual([200, 200, 200])
      })
    },
  )
})

describe('a gateway that received SIGTERM', () => {
  it('is not ready for new connections, and answers requests on those that are open once more', async () => {
    const role = await start('gateway')
    contexts.at(-1)?.draining.abort()
    const answers = await Promise.all(['/readyz', '/healthz'].map((path) => fetch(`${role.address}${path}`)))
    expect(answers.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([
      [503, 'close'],
      [200, 'close'],
    ])
  })
})

describe('a gateway with a port for operators', () => {
  it('shows them metrics and problems, and other callers only whether it is ready', async () => {
    const [operatorPort = 0] = await freePorts(1)
    const role = await start('gateway', { operatorPort })
    const operators = `http://127.0.0.1:${operatorPort}`
    expect(await statusAt(role, '/metrics')).toBe(404)
    expect((await fetch(`${operators}/metrics`)).status).toBe(200)
    expect((await fetch(`${operators}/api/companies`)).status).toBe(404)

    const reported = async (address: string) => {
      const answer = await fetch(`${address}/readyz`)
      return { status: answer.status, body: await answer.json() }
    }
    await withMigrations('delete from migrations where number = 1', async () => {
      expect(await reported(role.address)).toEqual({ status: 503, body: { status: 'not ready' } })
      expect(await reported(operators)).toEqual({
        status: 503,
        body: { status: 'not ready', reason: expect.stringContaining('run havn migrate') },
      })
    })
    await Promise.all(running.splice(0).map((each) => each.stop()))
    await expect(fetch(`${operators}/healthz`)).rejects.toThrow()
  })
})

describe('the worker', () => {
  it('serves no operation, and processes what is due by the shared business clock', async () => {
    const consent = await acceptedConsent(gateway)
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    const worker = await start('worker')
    expect(await statusAt(worker, '/api/companies')).toBe(404)
    const dueAt = async () => {
      const { rows } = await gateway.context.database.pool.query<{ step: number }>(
        'select poll_step as step from payments where id = $1',
        [paymentId],
      )
      return rows[0]?.step
    }
    expect(await dueAt()).toBe(0)
    await gateway.context.database.pool.query(
      'update business_clock set offset_milliseconds = offset_milliseconds + 3600000',
    )
    await expect.poll(dueAt, { timeout: 10_000 }).toBeGreaterThan(0)
  })

  it('stops with nothing in progress, and leaves no lease behind', async () => {
    const consent = await acceptedConsent(gateway)
    await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    const worker = await start('worker')
    await gateway.context.database.pool.query('update payments set poll_at = created_at')
    await running.splice(0).at(0)?.stop()
    const { rows } = await gateway.context.database.pool.query(
      `select 1 from payments where lease_until is not null and lease_until > $1`,
      [gateway.context.clock.real().toString()],
    )
    expect(rows).toEqual([])
    await expect(fetch(`${worker.address}/healthz`)).rejects.toThrow()
  })
})
