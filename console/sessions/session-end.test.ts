/** Guarantees that sessions end with the credential that they began with, have the roles of now, and are ended by administrators. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPartner } from '../../gateway/auth/create-partner.ts'
import { revokePartnerAccess } from '../../gateway/auth/revoke-partner-access.ts'
import type { ConsoleRole } from '../../gateway/config/console-roles.ts'
import { newToken } from '../../gateway/platform/ids.ts'
import { openFormBrowser } from '../../gateway/testing/browser/form-browser.ts'
import { signInAs, textOf } from '../../gateway/testing/console/console-user.ts'
import { eventually } from '../../gateway/testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../../gateway/testing/gateway/test-gateway.ts'
import { openTestDependencies } from '../../gateway/webhooks/subscriptions/test-subscription.ts'
import { consoleRoutes } from '../routes.ts'
import { acceptInvitation } from '../users/accept-invitation.ts'
import { disableUser, inviteAgain, inviteUser } from '../users/invite-user.ts'
import { insertPasskey } from '../users/passkey-store.ts'
import { consoleUserOf, type UserAccount } from '../users/user-account.ts'
import { beginSession } from './begin-session.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await gateway.context.database.pool.query(text, [...values])).rows
const passkeyOf = (credentialId: string) => ({ credentialId, publicKey: '', signatureCount: 0, transports: [] })

type Signed = { readonly user: UserAccount; readonly passkeyId: string }
let names = 0

/** A user with one passkey. */
async function createUser(roles: readonly ConsoleRole[], partnerId: string | null = null): Promise<Signed> {
  names += 1
  const invitation = await inviteUser(gateway.context, 'test', { name: `User ${names}`, partnerId, roles })
  const passkeyId = newToken()
  const token = typeof invitation === 'string' ? '' : invitation.token
  const user = await acceptInvitation(gateway.context, token, passkeyOf(passkeyId))
  if (user === undefined) {
    throw new Error('The invitation was not accepted')
  }
  return { user, passkeyId }
}

/** A browser whose session began with the passkey. */
async function browserOf({ user, passkeyId }: Signed) {
  const { token } = await beginSession(gateway.context, consoleUserOf(user, passkeyId), {
    userAgent: 'test',
    former: undefined,
  })
  return openFormBrowser(gateway, new Map([['havn_console', token]]))
}

const isOpen = async (browser: Awaited<ReturnType<typeof browserOf>>) =>
  (await browser.open('/console/sessions')).place === '/console/sessions'

async function addPasskey({ user }: Signed): Promise<Signed> {
  const passkeyId = newToken()
  const passkey = {
    ...passkeyOf(passkeyId),
    userId: user.id,
    createdAt: gateway.context.clock.real(),
    lastUsedAt: null,
  }
  await insertPasskey(gateway.context.database, passkey)
  return { user, passkeyId }
}

describe('a session of a passkey', () => {
  test('ends when that passkey is removed, and those of other passkeys do not', async () => {
    const first = await createUser(['operator'])
    const second = await addPasskey(first)
    const [ofFirst, ofSecond] = [await browserOf(first), await browserOf(second)]
    await ofSecond.open('/console/sessions')
    await ofSecond.send(`/console/passkeys/${first.passkeyId}/remove`)
    expect([await isOpen(ofFirst), await isOpen(ofSecond)]).toEqual([false, true])
    expect(textOf(await ofSecond.open('/console/sessions')).match(/ test /g)).toHaveLength(1)
  })

  test('is not ended by its own user with one click: neither by a passkey nor by an account of theirs', async () => {
    const first = await createUser(['operator-administrator'])
    await addPasskey(first)
    const browser = await browserOf(first)
    const page = await browser.open('/console/users')
    const ofUsers = new URLSearchParams({ formToken: /name="formToken" value="([^"]+)"/.exec(page.html)?.[1] ?? '' })
    for (const path of [
      `/console/passkeys/${first.passkeyId}/remove`,
      `/console/users/${first.user.id}/disable`,
      `/console/users/${first.user.id}/invite`,
    ]) {
      expect([path, (await browser.post(path, ofUsers)).status]).toEqual([path, 409])
      expect(page.html).not.toContain(path)
      expect((await browser.open('/console/passkeys')).html).not.toContain(path)
    }
    expect(await isOpen(browser)).toBe(true)
  })

  test('ends when a new invitation is accepted, and not while it is only made', async () => {
    const signed = await createUser(['operator'])
    const browser = await browserOf(signed)
    const invitation = await inviteAgain(gateway.context, 'test', signed.user.id)
    expect(await isOpen(browser)).toBe(true)
    await acceptInvitation(gateway.context, invitation?.token ?? '', passkeyOf(newToken()))
    expect(await isOpen(browser)).toBe(false)
  })

  test('ends when its user is disabled, also one that begins at the same moment', async () => {
    const signed = await createUser(['operator'])
    const browser = await browserOf(signed)
    await disableUser(gateway.context, 'test', signed.user.id)
    expect([await isOpen(browser), await isOpen(await browserOf(signed))]).toEqual([false, false])
  })

  test('does not become one of a user who is invited again under the same name', async () => {
    const signed = await createUser(['operator-administrator'])
    const browser = await browserOf(signed)
    await disableUser(gateway.context, 'test', signed.user.id)
    const invited = { name: signed.user.name, partnerId: null, roles: ['operator-reader'] as const }
    const invitation = await inviteUser(gateway.context, 'test', invited)
    await acceptInvitation(
      gateway.context,
      typeof invitation === 'string' ? '' : invitation.token,
      passkeyOf(newToken()),
    )
    expect(await isOpen(browser)).toBe(false)
  })

  test('removes no passkey that has become the last one while another session removed its own', async () => {
    const first = await createUser(['operator'])
    const second = await addPasskey(first)
    const browser = await browserOf(first)
    await browser.open('/console/sessions')
    const other = await gateway.context.database.pool.connect()
    await other.query('begin')
    await other.query('select from console_users where id = $1 for update', [first.user.id])
    await other.query('delete from console_passkeys where credential_id = $1', [first.passkeyId])
    const removal = browser.send(`/console/passkeys/${second.passkeyId}/remove`)
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%console_users%'`
    await Promise.race([removal, eventually(async () => expect(await sql(waiting)).toHaveLength(1))])
    await other.query('commit')
    other.release()
    expect((await removal).status).toBe(404)
    const left = await sql('select credential_id from console_passkeys where user_id = $1', [first.user.id])
    expect(left).toEqual([{ credential_id: second.passkeyId }])
  })

  test('adds no passkey once its own has been removed', async () => {
    const first = await createUser(['operator'])
    const browser = await browserOf(first)
    await addPasskey(first)
    await browser.open('/console/passkeys')
    await sql('delete from console_passkeys where credential_id = $1', [first.passkeyId])
    expect((await browser.send('/console/passkeys/add', { answer: '{}' })).place).not.toBe('/console/passkeys')
    expect(await sql('select 1 from console_passkeys where user_id = $1', [first.user.id])).toHaveLength(1)
  })

  test('changes neither sign-in factors nor sessions ten minutes after its user signed in', async () => {
    const signed = await createUser(['operator-administrator'])
    const [browser, other] = [await browserOf(signed), await browserOf(signed)]
    await addPasskey(signed)
    const { context } = gateway
    const routes = consoleRoutes({
      ...context,
      simulation: null,
      webhookTests: openTestDependencies(context),
      sweeps: () => [],
      callApi: async () => ({ status: 503, body: '' }),
    })
    const changing = routes.filter(({ needsRecentSignIn }) => needsRecentSignIn)
    expect(changing.map(({ path }) => path.replace('/console/', '')).toSorted()).toEqual([
      'passkeys/:passkeyId/remove',
      'passkeys/add',
      'sessions/:sessionId/end',
      'sessions/command-line',
      'sessions/end-others',
      'users/:userId/disable',
      'users/:userId/invite',
      'users/invite',
      'users/sessions/:sessionId/end',
      'users/sessions/:sessionId/end-all',
    ])
    await browser.open('/console/sessions')
    const age = `update console_sessions set created_at = created_at - $2::interval where user_id = $1`
    await sql(age, [signed.user.id, '11 minutes'])
    for (const { path } of changing) {
      const sent = await browser.send(path.replace(':passkeyId', signed.passkeyId).replace(/:\w+/, signed.user.id))
      expect([path, textOf(sent)]).toEqual([path, expect.stringContaining('requires that you sign in again')])
    }
    expect(textOf(await browser.open('/console/passkeys'))).toContain('sign in again')
    expect([await isOpen(browser), await isOpen(other)]).toEqual([true, true])
    await sql(age, [signed.user.id, '-11 minutes'])
    await browser.open('/console/passkeys')
    const [second] = await sql(
      'select credential_id as id from console_passkeys where user_id = $1 and credential_id <> $2',
      [signed.user.id, signed.passkeyId],
    )
    const removed = await browser.send(`/console/passkeys/${second.id}/remove`)
    expect(textOf(removed)).toContain('You are also signed in elsewhere')
    await browser.send('/console/sessions/end-others')
    expect([await isOpen(browser), await isOpen(other)]).toEqual([true, false])
    expect(textOf(await browser.open('/console/passkeys?changed'))).not.toContain('elsewhere')
  })

  test('ends with its partner', async () => {
    const { partner } = await createPartner(gateway.context, 'test', { name: 'Ends' })
    const browser = await browserOf(await createUser(['partner-finance'], partner.id))
    expect(await isOpen(browser)).toBe(true)
    await revokePartnerAccess(gateway.context, 'test', partner)
    expect(await isOpen(browser)).toBe(false)
  })

  test('has the roles and the partner that its user has now', async () => {
    const signed = await createUser(['operator-administrator'])
    const browser = await browserOf(signed)
    const statusOf = async () => (await browser.open('/console/users')).status
    expect(await statusOf()).toBe(200)
    await sql(`update console_users set roles = '{operator-reader}' where id = $1`, [signed.user.id])
    expect(await statusOf()).toBe(403)
  })
})

describe('an administrator', () => {
  test('sees the sessions of all users and ends one of them, or all of a user', async () => {
    const [victim, other] = [await createUser(['operator']), await createUser(['operator'])]
    const [first, second, stranger] = [await browserOf(victim), await browserOf(victim), await browserOf(other)]
    const administrator = await signInAs(gateway, 'operator-administrator')
    const page = await administrator.open('/console/users/sessions')
    expect(textOf(page)).toContain(`${victim.user.name} user ${victim.user.id} Operator, reads and acts`)
    const [session] = await sql('select id from console_sessions where user_id = $1 order by created_at', [
      victim.user.id,
    ])
    await administrator.send(`/console/users/sessions/${session.id}/end`)
    expect([await isOpen(first), await isOpen(second), await isOpen(stranger)]).toEqual([false, true, true])
    const third = await browserOf(victim)
    const [left] = await sql('select id from console_sessions where user_id = $1', [victim.user.id])
    await administrator.send(`/console/users/sessions/${left.id}/end-all`)
    expect([await isOpen(second), await isOpen(third), await isOpen(stranger)]).toEqual([false, false, true])
    const entries = await sql(`select detail from audit_log where action = 'console sessions ended' order by at`)
    const subject = `user ${victim.user.id}`
    expect(entries.map(({ detail }) => [detail.user, detail.sessions])).toEqual([
      [subject, 1],
      [subject, 2],
    ])
  })
})
