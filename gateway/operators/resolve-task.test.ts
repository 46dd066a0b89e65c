/** Tests who may resolve a task, with which texts, and what the audit log records. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { listAuditLog } from './audit-log.ts'
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
