/** Guarantees which interrupted forms are stored: those of sessions that have ended, within a size and a rate. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { newToken } from '../../gateway/platform/ids.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { composeServer } from '../../launcher/roles/compose-server.ts'
import type { ConsoleSession } from '../access/console-session.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { deleteSessions } from '../sessions/console-session-store.ts'

const ACTION = '/console/sessions/end-others'
const FORM_CHARACTERS_MAX = 16 * 1024

let gateway: TestGateway
let production: FastifyInstance
beforeAll(async () => {
  gateway = await startTestGateway()
  const config = { ...gateway.config, mode: 'production' } as const
  production = await composeServer({ ...gateway.context, config })
})
afterAll(async () => {
  await production.close()
  await gateway.close()
})

const query = (text: string, values: unknown[] = []) => gateway.context.database.pool.query(text, values)

/** A session that began in this gateway. */
async function begin(): Promise<{ readonly token: string; readonly session: ConsoleSession }> {
  const user = { subject: 'sandbox test', name: 'Test', partnerId: null, roles: ['operator'] } as const
  return await beginSession(gateway.context, user, { userAgent: '', former: undefined })
}

const age = async ({ id }: ConsoleSession, hours: number) =>
  await query(
    `update console_sessions set created_at = created_at - $2 * interval '1 hour', last_used_at = last_used_at - $2 * interval '1 hour' where id = $1`,
    [id, hours],
  )

/** Sends a form as any program can that knows the cookie; returns how it was answered, and what it added to the store. */
async function send(token: string, fieldCharacters = 100, remoteAddress = '192.0.2.1') {
  const [, formToken = ''] = /value="([^"]+)"/.exec(tokenField(token)) ?? []
  const { rows: before } = await query('select state_hash from console_sign_ins')
  const { statusCode } = await production.inject({
    method: 'POST',
    url: ACTION,
    remoteAddress,
    headers: { cookie: `havn_console=${token}`, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ formToken, note: 'x'.repeat(fieldCharacters) }).toString(),
  })
  const { rows: after } = await query(
    'select octet_length(content_sealed) as bytes from console_sign_ins where state_hash <> all($1)',
    [before.map((row) => row.state_hash)],
  )
  return { statusCode, bytes: after.map(({ bytes }) => bytes) }
}

const REDIRECTED = { statusCode: 303, bytes: [] }

test('the form of a session that ended by itself is stored, within a size', async () => {
  const { token, session } = await begin()
  await age(session, 2)
  const stored = await send(token)
  expect(stored).toMatchObject({ statusCode: 200, bytes: [expect.any(Number)] })
  const longest = await send(token, FORM_CHARACTERS_MAX - 'note='.length)
  expect(longest.statusCode).toBe(200)
  expect(longest.bytes[0]).toBeLessThan(FORM_CHARACTERS_MAX + 1_000)
  expect(await send(token, FORM_CHARACTERS_MAX)).toEqual(REDIRECTED)
  expect(await send(token, 240_000)).toEqual(REDIRECTED)
})

test('nothing is stored for a cookie that was never a session, or that of one that was ended or is long over', async () => {
  const [ended, old] = [await begin(), await begin()]
  await deleteSessions(gateway.context.database, ended.session, ended.session)
  await age(old.session, 25)
  for (const token of [newToken(), ended.token, old.token]) {
    expect(await send(token)).toEqual(REDIRECTED)
    expect(await send(token, 240_000)).toEqual(REDIRECTED)
  }
})

test('sessions that have ended are deleted a day after they began', async () => {
  const [recent, old] = [await begin(), await begin()]
  await age(recent.session, 23)
  await age(old.session, 25)
  await begin()
  const { rows } = await query('select id from console_sessions where id = any($1)', [
    [recent.session.id, old.session.id],
  ])
  expect(rows).toEqual([{ id: recent.session.id }])
})

test('what one network begins to sign in with is limited in rate: pages together with interrupted forms', async () => {
  const { token, session } = await begin()
  await age(session, 2)
  const network = (n: number) => `2001:db8:1:1::${n.toString(16)}`
  const openPage = async (remoteAddress: string) =>
    (await production.inject({ url: '/console/sign-in', remoteAddress })).statusCode
  for (let n = 1; n < 300; n += 1) {
    await openPage(network(n))
  }
  expect((await send(token, 100, network(300))).statusCode).toBe(200)
  expect(await send(token, 100, network(301))).toEqual({ statusCode: 429, bytes: [] })
  expect(await openPage(network(302))).toBe(429)
  expect((await send(token, 100, '2001:db8:1:2::1')).statusCode).toBe(200)
  expect(await openPage('2001:db8:1:2::2')).toBe(200)
})
