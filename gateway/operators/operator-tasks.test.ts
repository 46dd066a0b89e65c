/** Tests operator tasks: raised once about a row that fails, resolved by whom they may be, and recorded in the audit log. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NO_PARTNER_ID, processRow } from '../platform/jobs/process-row.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { listAuditLog } from './audit-log.ts'
import { updateFailedRowMetrics } from './failed-row-tasks.ts'
import type { Operator, TaskKind } from './operator-task.ts'
import { raiseTask, resolveTaskAutomatically } from './raise-task.ts'
import {
  closeResolvedTask,
  getOpenTasks,
  proposeOrConfirmResolution,
  type Resolution,
  requireTask,
} from './resolve-task.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

describe('about a row that fails', () => {
  const ROW = { sweep: 'payrolls', partnerId: NO_PARTNER_ID, rowId: 'row 1' }
  const unreadable = () =>
    Promise.reject(Object.assign(new RangeError('IBAN NO9386011117947 is wrong'), { code: 'X1' }))

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
})

describe('resolving a task', () => {
  const PARTNER = crypto.randomUUID()
  const TAKEN = { type: 'taken', bankPaymentId: 'bank-1' } as const
  const NEVER = { type: 'never-taken' } as const
  const NOTED = { type: 'noted', note: 'The bank meant it' } as const

  async function task(kind: TaskKind) {
    const subject = {
      partnerId: PARTNER,
      kind,
      subjectType: 'payment',
      subjectId: crypto.randomUUID(),
      detail: {},
    } as const
    await raiseTask(gateway.context, subject)
    const found = (await getOpenTasks(gateway.context)).find(({ subjectId }) => subjectId === subject.subjectId)
    return { ...subject, id: found?.id ?? '' }
  }

  const operatorNamed = (name: string, subject: string | null = `user ${name}`) => ({
    subject,
    name,
    actor: `operator ${name} (${subject})`,
  })

  async function say(id: string, operator: string | Operator, resolution: Resolution): Promise<string> {
    const { context } = gateway
    const of = (one: string | Operator) => (typeof one === 'string' ? operatorNamed(one) : one)
    const { step } = await proposeOrConfirmResolution(context, await requireTask(context, id), of(operator), resolution)
    return step
  }

  test('an unknown outcome takes two different operators with the same answer', async () => {
    const { id, subjectId } = await task('UnknownOutcome')
    expect(await say(id, 'Ingrid', TAKEN)).toBe('proposed')
    // Another name is the same operator, and the same name is another one.
    const renamed = { ...operatorNamed('Ingrid'), name: 'Ingrid Berg' }
    await expect(say(id, renamed, TAKEN)).rejects.toThrow('a second operator must confirm')
    await expect(say(id, operatorNamed('Jonas', null), TAKEN)).rejects.toThrow('does not prove who you are')
    await expect(say(id, 'Jonas', { ...TAKEN, bankPaymentId: 'bank-2' })).rejects.toThrow(
      'the proposal has been withdrawn',
    )
    expect((await requireTask(gateway.context, id)).status).toBe('open')
    expect(await say(id, 'Jonas', TAKEN)).toBe('proposed')
    expect(await say(id, 'Ingrid', TAKEN)).toBe('agreed')
    await closeResolvedTask(gateway.context, await requireTask(gateway.context, id), operatorNamed('Ingrid'), TAKEN)
    await expect(say(id, 'Kari', TAKEN)).rejects.toThrow('already been resolved by Ingrid')
    const audit = await listAuditLog(gateway.context, PARTNER, subjectId)
    expect(audit.map(({ actor, action }) => `${actor}: ${action}`)).toEqual([
      'operator Ingrid (user Ingrid): task resolution proposed',
      'operator Jonas (user Jonas): task resolution contradicted',
      'operator Jonas (user Jonas): task resolution proposed',
      'operator Ingrid (user Ingrid): task resolved',
    ])
  })

  test('nothing is decided without an entry in the audit log', async () => {
    const { id } = await task('UnknownOutcome')
    const { context } = gateway
    const statusWithoutLog = async (decide: () => Promise<unknown>) => {
      await context.database.pool.query('alter table audit_log rename to audit_log_away')
      await expect(decide()).rejects.toThrow('audit_log')
      await context.database.pool.query('alter table audit_log_away rename to audit_log')
      return (await requireTask(context, id)).status
    }
    expect(await statusWithoutLog(() => say(id, 'Ingrid', NEVER))).toBe('open')
    await say(id, 'Ingrid', NEVER)
    expect(await statusWithoutLog(() => say(id, 'Jonas', TAKEN))).toBe('proposed')
    const proposed = await requireTask(context, id)
    expect(await statusWithoutLog(() => closeResolvedTask(context, proposed, operatorNamed('Jonas'), NEVER))).toBe(
      'proposed',
    )
  })

  test('two operators of one name decide, and a proposal without a subject is proposed again', async () => {
    const { id } = await task('UnknownOutcome')
    expect(await say(id, operatorNamed('Kari', 'user 1'), NEVER)).toBe('proposed')
    expect(await say(id, operatorNamed('Kari', 'user 2'), NEVER)).toBe('agreed')
    const { pool } = gateway.context.database
    await pool.query('update operator_tasks set proposed_by_subject = null where id = $1', [id])
    await expect(say(id, 'Jonas', NEVER)).rejects.toThrow('has been withdrawn')
    expect((await requireTask(gateway.context, id)).status).toBe('open')
  })

  test('two operators who propose at once: one succeeds, the other has to look again', async () => {
    const { id } = await task('UnknownOutcome')
    const read = await requireTask(gateway.context, id)
    const both = await Promise.allSettled(
      ['Ingrid', 'Jonas'].map((who) => proposeOrConfirmResolution(gateway.context, read, operatorNamed(who), NEVER)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('a confirmation is validated against the current proposal, not against the one that was read', async () => {
    const { id } = await task('UnknownOutcome')
    await say(id, 'Ingrid', TAKEN)
    const read = await requireTask(gateway.context, id)
    const confirm = () => proposeOrConfirmResolution(gateway.context, read, operatorNamed('Jonas'), TAKEN)
    await expect(say(id, 'Kari', NEVER)).rejects.toThrow('the proposal has been withdrawn')
    await expect(confirm()).rejects.toThrow('changed by another operator')
    await say(id, 'Kari', NEVER)
    await expect(confirm()).rejects.toThrow('Kari proposed another resolution')
  })

  test('a task without a decision takes one operator and a note; a note decides no money', async () => {
    const unusual = await task('UnexpectedStatus')
    await expect(say(unusual.id, 'Ingrid', NEVER)).rejects.toThrow('task with --note')
    expect(await say(unusual.id, 'Ingrid', NOTED)).toBe('agreed')
    const unknown = await task('UnknownOutcome')
    await expect(say(unknown.id, 'Ingrid', NOTED)).rejects.toThrow('--taken or --never-taken')
  })

  test('of two operators who note at once, one gets an error: the note was not taken', async () => {
    const { id, subjectId } = await task('UnexpectedStatus')
    const read = await requireTask(gateway.context, id)
    const both = await Promise.allSettled(
      ['Ingrid', 'Jonas'].map((who) => closeResolvedTask(gateway.context, read, operatorNamed(who), NOTED)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await listAuditLog(gateway.context, PARTNER, subjectId)).toHaveLength(1)
  })

  test('a task is raised once while it is open, and closes by itself with an entry in the audit log', async () => {
    const raised = await task('UnknownOutcome')
    await raiseTask(gateway.context, raised)
    const same = (await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === raised.subjectId)
    expect(same).toHaveLength(1)
    await resolveTaskAutomatically(gateway.context, raised, 'the bank holds the order')
    await resolveTaskAutomatically(gateway.context, raised, 'the bank holds the order')
    expect(await requireTask(gateway.context, raised.id)).toMatchObject({ status: 'resolved', resolvedBy: 'havn' })
    expect(await listAuditLog(gateway.context, PARTNER, raised.subjectId)).toMatchObject([
      { actor: 'havn', action: 'task resolved' },
    ])
  })

  test('the gauge counts open tasks, by kind', async () => {
    const read = async () => {
      const text = await (await fetch(`${gateway.url}/metrics`)).text()
      return Number(/havn_operator_tasks_open\{kind="StuckInProgress"\} (\d+)/.exec(text)?.[1])
    }
    const before = await read()
    await task('StuckInProgress')
    expect(await read()).toBe(before + 1)
  })
})
