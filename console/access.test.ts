/** Guarantees who gets into the console: sessions and their limits, forms of other sites, production. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConsoleRole } from '../gateway/config/console-roles.ts'
import { hashToken } from '../gateway/platform/ids.ts'
import { type FormBrowser, openFormBrowser } from '../gateway/testing/browser/form-browser.ts'
import { signInAs, textOf, titleOf } from '../gateway/testing/console/console-user.ts'
import { startTestGateway, type TestGateway } from '../gateway/testing/gateway/test-gateway.ts'
import { composeServer } from '../launcher/roles/compose-server.ts'
import { inviteUser } from './users/invite-user.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const signIn = (role: ConsoleRole) => signInAs(gateway, role)
const isSignedIn = async (browser: FormBrowser) => titleOf(await browser.open('/console')) === 'Overview'
const query = (text: string, values: unknown[] = []) => gateway.context.database.pool.query(text, values)
const tokenOf = (browser: FormBrowser) => /havn_console=([\w-]+)/.exec(browser.cookies())?.[1] ?? ''

describe('a session', () => {
  test('begins under a new token, which only its digest is stored of, and ends the former one of the browser', async () => {
    const browser = openFormBrowser(gateway)
    await browser.open('/console/sign-in')
    const before = tokenOf(browser)
    await browser.send('/console/sign-in', { user: 'operator' })
    const first = tokenOf(browser)
    await browser.open('/console/sign-in')
    await browser.send('/console/sign-in', { user: 'operator-reader' })
    const second = tokenOf(browser)
    expect(new Set([before, first, second]).size).toBe(3)
    const { rows } = await query('select token_hash, name from console_sessions where token_hash = any($1)', [
      [before, first, second].map(hashToken),
    ])
    expect(rows).toEqual([{ token_hash: hashToken(second), name: 'Cecilie Ruud' }])
  })

  test.each([
    ['an hour without use', 'last_used_at = last_used_at - interval $1', '60 minutes'],
    ['twelve hours', 'created_at = created_at - interval $1', '12 hours'],
  ])('ends after %s', async (_when, change, duration) => {
    const browser = await signIn('operator')
    const age = async (by: string) =>
      await query(
        `update console_sessions set ${change.replace('interval $1', '$1::interval')} where token_hash = $2`,
        [by, hashToken(tokenOf(browser))],
      )
    expect(await isSignedIn(browser)).toBe(true)
    await age(duration)
    expect(await isSignedIn(browser)).toBe(false)
    await age(`-${duration.replace(' ', ' ')}`)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('is extended by its use', async () => {
    const browser = await signIn('operator')
    const digest = hashToken(tokenOf(browser))
    await query(
      `update console_sessions set last_used_at = last_used_at - interval '50 minutes' where token_hash = $1`,
      [digest],
    )
    expect(await isSignedIn(browser)).toBe(true)
    const { rows } = await query(
      'select last_used_at > created_at as extended from console_sessions where token_hash = $1',
      [digest],
    )
    expect(rows).toEqual([{ extended: true }])
  })

  test('of a user whose partner is disabled opens nothing', async () => {
    const browser = await signIn('partner-finance')
    await query(`update partners set disabled_at = created_at where name = 'Demo partner'`)
    expect(await isSignedIn(browser)).toBe(false)
    await browser.open('/console/sign-in')
    const again = await browser.send('/console/sign-in', { user: 'partner-finance' })
    expect([again.status, titleOf(again)]).toEqual([403, 'You are not signed in'])
    expect(textOf(again)).toContain('The access of your company to Havn has ended.')
    await query(`update partners set disabled_at = null where name = 'Demo partner'`)
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('is listed for its user, who ends another one of theirs', async () => {
    const [own, other] = [await signIn('partner-finance'), await signIn('partner-finance')]
    await query(`delete from console_sessions where name = 'Eva Sund' and token_hash <> all($1)`, [
      [own, other].map((browser) => hashToken(tokenOf(browser))),
    ])
    const { html } = await own.open('/console/sessions')
    const ends = [...html.matchAll(/action="([^"]+\/end)"/g)].map(([, action = '']) => action)
    expect([ends.length, html.match(/This session/g)]).toEqual([1, ['This session']])
    // The user clicks twice, and sees the answer to the second click.
    const [, left = expect.fail()] = await Promise.all([0, 1].map(() => own.send(ends[0] ?? '')))
    expect(left.status).toBe(200)
    expect(left.html).not.toMatch(/action="[^"]+\/end"/)
    expect([await isSignedIn(own), await isSignedIn(other)]).toEqual([true, false])
    const third = await signIn('partner-finance')
    await own.send('/console/sessions/end-others')
    expect(await isSignedIn(third)).toBe(false)
    const { rows } = await query(
      `select actor, detail from audit_log where action = 'own console sessions ended' order by id`,
    )
    const entry = { actor: expect.stringContaining('Eva Sund'), detail: { sessions: 1 } }
    expect(rows).toEqual([entry, entry])
  })

  test('of another user cannot be ended, as if it did not exist', async () => {
    const [own, foreign] = [await signIn('operator'), await signIn('operator-reader')]
    const { rows } = await query('select id from console_sessions where token_hash = $1', [hashToken(tokenOf(foreign))])
    await own.open('/console/sessions')
    const answers = [
      await own.send(`/console/sessions/${rows[0].id}/end`),
      await own.open('/console/sessions').then(() => own.send('/console/sessions/not-an-id/end')),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect(answers[0]?.html.replaceAll(rows[0].id, '')).toBe(answers[1]?.html.replaceAll('not-an-id', ''))
    expect(await isSignedIn(foreign)).toBe(true)
  })

  test('is written to the audit log when it begins', async () => {
    await signIn('operator-administrator')
    const { rows } = await query(
      `select actor, action from audit_log where subject_type = 'console session' order by id desc limit 1`,
    )
    expect(rows).toEqual([
      { actor: 'operator Astrid Lie (sandbox operator-administrator)', action: 'signed in to the console' },
    ])
  })
})

describe('a form', () => {
  test('without the token of the session changes nothing', async () => {
    const browser = await signIn('operator')
    for (const body of ['', 'formToken=wrong']) {
      const answer = await browser.post(
        '/console/sign-out',
        body === '' ? new URLSearchParams() : new URLSearchParams(body),
      )
      expect(answer.status).toBe(403)
    }
    expect(await isSignedIn(browser)).toBe(true)
  })

  test('of another site begins no session, and is not stored to be sent again', async () => {
    const browser = openFormBrowser(gateway)
    const body = new URLSearchParams({ user: 'operator-administrator', resumePath: '/console/sign-out' })
    expect(await browser.post('/console/sign-in', body)).toMatchObject({ status: 403 })
    expect(await browser.post('/console/sessions/end-others', body)).toMatchObject({ status: 403 })
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('that is interrupted leads back to the page that it was on, with its filters', async () => {
    const browser = await signIn('operator')
    const { html } = await browser.open('/console/payments?status=Unsigned')
    const idle = `update console_sessions set last_used_at = last_used_at - interval '2 hours' where token_hash = $1`
    await query(idle, [hashToken(tokenOf(browser))])
    const answer = await fetch(`${gateway.url}/console/sandbox/clear-faults`, {
      method: 'POST',
      headers: { cookie: browser.cookies(), referer: `${gateway.url}/console/payments?status=Unsigned` },
      body: new URLSearchParams({ formToken: /name="formToken" value="([^"]+)"/.exec(html)?.[1] ?? '' }),
    })
    expect(await answer.text()).toContain('name="next" value="/console/payments?status&#61;Unsigned"')
  })

  test.each([
    ['/console/sandbox/clock', '/console/sandbox'],
    ['/console/webhooks/an-id/deliveries/another/retry', '/console/webhooks/an-id/deliveries/another'],
    ['/console/sign-out', '/console'],
    ['/console/payments/?name=a/', '/console/payments?name=a/'],
    ['/console/payments.csv?from=what?', '/console/payments?from=what%3F'],
  ])('at %s is not read there, but on its page, which has no slash at its end', async (address, page) => {
    expect((await (await signIn('operator')).open(address)).place).toBe(page)
  })

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/console/../api',
    '/consoles',
    'javascript:alert(1)',
  ])('leads only to a page of the console after signing in, not to %s', async (next) => {
    const browser = openFormBrowser(gateway)
    await browser.open(`/console/sign-in?${new URLSearchParams({ next })}`)
    expect(await browser.send('/console/sign-in', { user: 'operator' })).toMatchObject({
      status: 200,
      place: '/console',
    })
  })
})

describe('in production', () => {
  let production: FastifyInstance
  beforeAll(async () => {
    const config = { ...gateway.config, mode: 'production', baseUrl: 'https://havn.example' } as const
    production = await composeServer({ ...gateway.context, config })
  })
  afterAll(() => production.close())

  test('no user can be chosen', async () => {
    const page = await production.inject({ url: '/console/sign-in' })
    expect(page.body).not.toContain('name="user"')
    const chosen = await production.inject({
      method: 'POST',
      url: '/console/sign-in',
      headers: {
        cookie: String(page.headers['set-cookie']).split(';')[0],
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: `user=operator&formToken=${/name="formToken" value="([^"]+)"/.exec(page.body)?.[1]}`,
    })
    expect(chosen.statusCode).toBe(405)
  })

  test('an invitation opens with characters of a text behind its link', async () => {
    const invited = { name: 'Kari Invited', partnerId: null, roles: ['operator'] } as const
    const invitation = await inviteUser(gateway.context, 'test', invited)
    const token = typeof invitation === 'string' ? '' : invitation.token
    for (const behind of ['', '.']) {
      const page = await production.inject({ url: `/console/invitation/${token}${behind}` })
      expect(page.body).toContain(`action="/console/invitation/${token}"`)
    }
  })

  test('scripts run on the pages with passkeys only, and are ours', async () => {
    const policyOf = async (url: string) =>
      String((await production.inject({ url })).headers['content-security-policy'])
    expect(await policyOf('/console/sign-in')).toContain("script-src 'self';")
    expect(await policyOf('/console/invitation/unknown')).not.toContain('script-src')
  })
})

test('by https the cookie is bound to the host', async () => {
  const config = { ...gateway.config, baseUrl: 'https://havn.example' }
  const server = await composeServer({ ...gateway.context, config })
  const answer = await server.inject({ url: '/console/sign-in' })
  expect(answer.headers['set-cookie']).toMatch(
    /^__Host-havn_console=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
  )
  await server.close()
})
