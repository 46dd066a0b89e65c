/** Guarantees that a command is an operator's only with their token, and that one operator is one on the console and the command line. */
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { listAuditLog } from '../../gateway/operators/audit-log.ts'
import { raiseTask } from '../../gateway/operators/raise-task.ts'
import { getOpenTasks, requireTask } from '../../gateway/operators/resolve-task.ts'
import { newId, newToken } from '../../gateway/platform/ids.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { operatorToken } from '../../gateway/testing/console/operator-token.ts'
import { storePayments } from '../../gateway/testing/console/stored-payments.ts'
import { runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { findOperator } from './find-operator.ts'

const TEST_MILLISECONDS = 90_000
let gateway: TestGateway
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  partnerId = (await sql(`select id from partners where name = 'Demo partner'`))[0].id
})
afterAll(() => gateway.close())

const sql = async (text: string) => (await gateway.context.database.pool.query(text)).rows
const havn = (token: string | undefined, ...words: string[]) =>
  runHavnCommand(words, {
    DATABASE_URL: gateway.connectionString,
    HAVN_MODE: 'sandbox',
    HAVN_MASTER_KEY_FILE: gateway.config.masterKeyFile,
    HAVN_OPERATOR: 'root',
    ...(token === undefined ? {} : { HAVN_OPERATOR_TOKEN: token }),
  })

/** The token that the page of the operator’s sessions shows once. */
async function tokenOf(role: 'operator' | 'operator-administrator' | 'operator-reader'): Promise<string> {
  const browser = await signInAs(gateway, role)
  await browser.open('/console/sessions')
  const { html } = await browser.send('/console/sessions/command-line')
  return /HAVN_OPERATOR_TOKEN&#61;([\w-]{43})/.exec(html)?.[1] ?? ''
}

async function raiseUnknownOutcome(detail = {}): Promise<string> {
  const [subjectId = ''] = await storePayments(gateway, 1, { partnerId, prefix: newToken(), outcome: 'unknown' })
  await raiseTask(gateway.context, { partnerId, kind: 'UnknownOutcome', subjectType: 'payment', subjectId, detail })
  return (await getOpenTasks(gateway.context)).find((task) => task.subjectId === subjectId)?.id ?? ''
}

describe('an operator', { timeout: TEST_MILLISECONDS }, () => {
  it('does not confirm on the command line what they proposed in the console, nor under another name', async () => {
    const id = await raiseUnknownOutcome()
    const browser = await signInAs(gateway, 'operator')
    await browser.open(`/console/tasks/${id}`)
    await browser.send(`/console/tasks/${id}/resolve`, { resolution: 'never-taken' })
    const resolve = (token: string | undefined) => havn(token, 'tasks', 'resolve', id, '--never-taken')
    expect((await resolve(undefined)).error).toContain('does not prove who you are')
    const own = await tokenOf('operator')
    await sql(`update console_sessions set name = 'Kim Nilsen' where user_agent = 'havn'`)
    expect((await resolve(own)).error).toContain('a second operator must confirm')
    const other = await resolve(await tokenOf('operator-administrator'))
    expect(other.out).toBe('The task is resolved, by Astrid Lie.\n')
    const { subjectId } = await requireTask(gateway.context, id)
    const audit = await listAuditLog(gateway.context, partnerId, subjectId)
    expect(audit.map(({ actor, action }) => `${actor}: ${action}`)).toEqual([
      'operator Bjørn Moe (sandbox operator): task resolution proposed',
      'operator Astrid Lie (sandbox operator-administrator), system user root: task resolved',
    ])
  })

  it('settles the orders of an incident together: one proposal in the console, one confirmation on the command line', async () => {
    const incident = 'FJORNO22 2026-11-28T21:00:00Z'
    const id = await raiseUnknownOutcome({ incident })
    await raiseUnknownOutcome({ incident })
    await raiseUnknownOutcome({ incident })
    const browser = await signInAs(gateway, 'operator')
    const list = await browser.open('/console/tasks')
    expect(list.html.match(/Payment with an unknown outcome<\/span><\/a>/g)).toHaveLength(1)
    expect(textOf(list)).toContain('and 2 more')
    const page = await browser.open(`/console/tasks/${id}`)
    expect(textOf(page)).toContain('3 orders that the bank answered alike')
    await browser.send(`/console/tasks/${id}/resolve`, { resolution: 'none-taken' })
    const token = await tokenOf('operator-administrator')
    expect((await havn(token, 'tasks', 'show', id)).out).toContain('--none-taken for all 3 orders')
    expect((await havn(token, 'tasks', 'list')).out).toContain('and 2 more')
    const resolved = await havn(token, 'tasks', 'resolve', id, '--none-taken')
    expect([resolved.out, resolved.error]).toEqual(['3 tasks are resolved, by Astrid Lie.\n', ''])
    expect(await getOpenTasks(gateway.context)).toEqual([])
  })

  it('is permitted on the command line what their roles permit in the console', async () => {
    const administrator = await tokenOf('operator-administrator')
    for (const [token, permitted] of [
      [await tokenOf('operator-reader'), false],
      [await tokenOf('operator'), false],
      [administrator, true],
      [undefined, true],
    ] as const) {
      const { code, error } = await havn(token, 'client', 'payroll', 'on', 'demo-partner')
      expect([code, error]).toEqual(permitted ? [0, ''] : [1, expect.stringContaining('do not permit this command')])
    }
    expect((await havn(await tokenOf('operator-reader'), 'partner', 'list')).code).toBe(0)
  })

  it('needs a token of an open session, which ends with their sign-in at the latest', async () => {
    const rejected = { code: 1, error: expect.stringContaining('is of no open session of an operator') }
    const list = (token: string) => havn(token, 'partner', 'list')
    expect(await list(newId())).toMatchObject(rejected)
    expect(await list(await operatorToken(gateway.connectionString, 'Eva', 'operator'))).toMatchObject({ code: 0 })
    const due = await operatorToken(gateway.connectionString, 'Ida', 'operator')
    await sql(`update console_sessions set roles_read_at = now() - interval '15 minutes' where name = 'Ida'`)
    expect(await list(due)).toMatchObject(rejected)
    const token = await tokenOf('operator')
    const [{ began, parents }] = await sql(`
      select max(created_at) filter (where user_agent = 'havn') as began,
        max(created_at) filter (where user_agent <> 'havn') as parents
      from console_sessions where subject = 'sandbox operator'`)
    expect(began).toEqual(parents)
    await sql(`delete from console_sessions where user_agent = 'havn'`)
    expect(await list(token)).toMatchObject(rejected)
  })

  it('is no user of a partner', async () => {
    const browser = await signInAs(gateway, 'partner-developer')
    await browser.open('/console/sessions')
    expect((await browser.send('/console/sessions/command-line')).status).toBe(403)
    const token = await operatorToken(gateway.connectionString, 'Uma', 'operator')
    await sql(`update console_sessions set partner_id = '${partnerId}' where name = 'Uma'`)
    expect((await havn(token, 'partner', 'list')).code).toBe(1)
  })
})

it('is known by a number where the system has no name for the user, as in containers', async () => {
  const unnamed = vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT')
  })
  syncBuiltinESMExports()
  const { actor } = await findOperator(gateway.context, {})
  unnamed.mockRestore()
  syncBuiltinESMExports()
  expect(actor).toBe(`system user number ${process.getuid?.()}`)
})
